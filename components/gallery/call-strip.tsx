import { ButtonLink } from "#components/ui/button.tsx";
import { Copy } from "#components/ui/copy.tsx";
import { PhoneIcon } from "#components/ui/icons.tsx";
import { fill } from "#lib/content/copy.ts";
import { galleryPage } from "#lib/content/gallery.ts";
import { telHref } from "#lib/content/links.ts";

/** The invitation to call, at the end of the page. */
export function CallStrip({ phone }: { phone: string }) {
  const { title, label } = galleryPage.call;
  return (
    <section className="page-width flex flex-col gap-6 py-12 md:flex-row md:flex-wrap md:items-center md:justify-between md:py-16 lg:py-21">
      <h2 className="text-asphalt-900 type-h2">
        <Copy text={title} />
      </h2>
      <ButtonLink
        href={telHref(phone)}
        size="lg"
        icon={PhoneIcon}
        aria-label={fill(label, { phone })}
        className="tabular max-md:px-3"
      >
        <span className="whitespace-nowrap">{phone}</span>
      </ButtonLink>
    </section>
  );
}
