import { ButtonLink } from "#components/ui/button.tsx";
import { CopyPhoneButton } from "#components/ui/copy-button.tsx";
import { MessageIcon, PhoneIcon } from "#components/ui/icons.tsx";
import { config } from "#lib/config.ts";
import { contactTexts } from "#lib/content/contact-page.ts";
import { smsHref, telHref } from "#lib/content/links.ts";

export function ContactStrip() {
  const { inquiryPhone: phone } = config();
  const { strip } = contactTexts;
  return (
    <section className="beside-form bg-sign-100">
      <div className="page-width flex flex-col gap-5 py-12 md:flex-row md:flex-wrap md:items-center md:justify-between md:py-16">
        <h2 className="font-heavy text-xl text-asphalt-900 leading-[1.36] tracking-title md:text-2xl">
          {strip.title}
        </h2>
        <p className="flex flex-wrap gap-2.5 *:flex-auto md:*:flex-none">
          <ButtonLink href={telHref(phone)} size="lg" icon={PhoneIcon}>
            {strip.call}
          </ButtonLink>
          <ButtonLink href={smsHref(phone)} size="lg" variant="outline" icon={MessageIcon}>
            {strip.sms}
          </ButtonLink>
          <CopyPhoneButton phone={phone} />
        </p>
      </div>
    </section>
  );
}
