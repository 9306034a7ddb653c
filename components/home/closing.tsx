import { ButtonLink, CallButton } from "#components/ui/button.tsx";
import { Copy } from "#components/ui/copy.tsx";
import { CopyNumber } from "#components/ui/copy-button.tsx";
import { MessageIcon } from "#components/ui/icons.tsx";
import { Photo } from "#components/ui/photo.tsx";
import { config } from "#lib/config.ts";
import { closing } from "#lib/content/home.ts";
import { formHref, smsHref } from "#lib/content/links.ts";

/** Dusk at the end of the page: on a wide screen the words stand on the picture's dark field. */
export function Closing() {
  const { inquiryPhone: phone } = config();
  return (
    <section className="on-dark relative bg-sign-800 lg:flex lg:min-h-[clamp(37rem,47vw,50rem)] lg:items-end">
      <Photo
        picture={closing.picture}
        sizes="100vw"
        className="aspect-[16/10] w-full md:aspect-[2/1] lg:absolute lg:inset-0 lg:aspect-auto [&_img]:object-[86%_50%] md:[&_img]:object-center"
      />
      <div className="page-width py-12 md:py-16 lg:relative lg:z-10 lg:pt-16 lg:pb-16">
        <h2 className="type-h2 text-[clamp(1.75rem,8.4vw,2.25rem)] text-white md:text-[3rem] lg:text-[clamp(2.75rem,3.9vw,3.5rem)]">
          <Copy text={closing.title} />
        </h2>
        <p className="type-lead mt-3 text-white lg:mt-4">{closing.lead}</p>
        <div className="mt-6.5 flex flex-col gap-2.5 sm:flex-row sm:flex-wrap lg:mt-7">
          <ButtonLink href={formHref} variant="yellow" size="lg">
            {closing.apply}
          </ButtonLink>
          <CallButton phone={phone} variant="white" />
          <ButtonLink href={smsHref(phone)} variant="white" size="lg" icon={MessageIcon}>
            {closing.sms}
          </ButtonLink>
          <CopyNumber phone={phone} />
        </div>
      </div>
    </section>
  );
}
