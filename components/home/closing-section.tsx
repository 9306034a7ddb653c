import { ButtonLink, CallButton } from "#components/ui/button.tsx";
import { CopyPhoneButton } from "#components/ui/copy-button.tsx";
import { MessageIcon } from "#components/ui/icons.tsx";
import { PageText } from "#components/ui/page-text.tsx";
import { Photo } from "#components/ui/photo.tsx";
import { config } from "#lib/config.ts";
import { closingSection } from "#lib/content/home-page.ts";
import { formHref, smsHref } from "#lib/content/links.ts";

export function ClosingSection() {
  const { inquiryPhone: phone } = config();
  return (
    <section className="closing on-dark">
      <Photo picture={closingSection.picture} sizes="100vw" className="closing-picture" />
      <div className="closing-text page-width">
        <PageText as="h2" className="closing-title" text={closingSection.title} />
        <p className="type-lead mt-3 text-white lg:mt-4">{closingSection.lead}</p>
        <div className="mt-6 flex flex-wrap gap-2.5 max-sm:*:flex-auto">
          <ButtonLink href={formHref} variant="yellow" size="lg" className="max-sm:w-full">
            {closingSection.apply}
          </ButtonLink>
          <CallButton phone={phone} variant="white" />
          <ButtonLink href={smsHref(phone)} variant="white" size="lg" icon={MessageIcon}>
            {closingSection.sms}
          </ButtonLink>
          <CopyPhoneButton phone={phone} />
        </div>
      </div>
    </section>
  );
}
