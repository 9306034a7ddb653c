import { ApplyButton } from "#components/application/apply-button.tsx";
import { FormNotice } from "#components/application/form-notice.tsx";
import { TextMemo } from "#components/home/text-memo.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Copy } from "#components/ui/copy.tsx";
import { CopyNumber } from "#components/ui/copy-number.tsx";
import { PhoneIcon } from "#components/ui/icons.tsx";
import { method } from "#lib/content/home.ts";
import { telHref } from "#lib/content/links.ts";

const [beforePhone, afterPhone] = method.lead.split("{phone}");

/** How to apply: what to do at the left, the text message to copy at the right. */
export function ApplicationMethod({
  phone,
  retentionDays,
  registration,
  callback,
}: {
  phone: string;
  /** For the dialog's notice on personal data. */
  retentionDays: number;
  registration: string | undefined;
  /** When the owner calls back, in the owner's words. */
  callback: string | undefined;
}) {
  return (
    <section className="section-block bg-white">
      <div className="page-width grid grid-cols-1 items-center gap-x-8 gap-y-9 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] xl:grid-cols-[minmax(0,1fr)_37.5rem]">
        <div>
          <h2 className="type-h2 text-asphalt-900">
            <Copy text={method.title} />
          </h2>
          <p className="type-lead mt-4 text-asphalt-600">
            <Copy text={beforePhone ?? ""} />
            <strong className="tabular whitespace-nowrap text-asphalt-900">{phone}</strong>
            <Copy text={afterPhone ?? ""} />
          </p>
          <div className="mt-7 flex flex-col gap-2.5 sm:flex-row sm:flex-wrap">
            <ApplyButton
              phone={phone}
              callback={callback}
              notice={<FormNotice retentionDays={retentionDays} registration={registration} />}
            >
              {method.apply}
            </ApplyButton>
            <ButtonLink href={telHref(phone)} variant="outline" size="lg" icon={PhoneIcon}>
              {method.call}
            </ButtonLink>
            <CopyNumber phone={phone} />
          </div>
        </div>
        <TextMemo phone={phone} />
      </div>
    </section>
  );
}
