import { ButtonLink } from "#components/ui/button.tsx";
import { Copy } from "#components/ui/copy.tsx";
import { CopyNumber } from "#components/ui/copy-number.tsx";
import { PhoneIcon } from "#components/ui/icons.tsx";
import { fill } from "#lib/content/copy.ts";
import { callStrip } from "#lib/content/layout.ts";
import { telHref } from "#lib/content/links.ts";

/** The invitation to call, at the end of a page. */
export function CallStrip({ phone }: { phone: string }) {
  return (
    <section className="page-width flex flex-col gap-6 py-12 md:flex-row md:flex-wrap md:items-center md:justify-between md:py-16 lg:py-21">
      <h2 className="type-h2 text-asphalt-900">
        <Copy text={callStrip.title} />
      </h2>
      <div className="flex flex-col gap-x-2.5 md:flex-row md:items-center">
        <ButtonLink
          href={telHref(phone)}
          size="lg"
          icon={PhoneIcon}
          aria-label={fill(callStrip.label, { phone })}
          className="button-number"
        >
          {phone}
        </ButtonLink>
        <CopyNumber phone={phone} />
      </div>
    </section>
  );
}
