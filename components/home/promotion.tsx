import { ButtonLink } from "#components/ui/button.tsx";
import { Copy } from "#components/ui/copy.tsx";
import { promotion } from "#lib/content/home.ts";
import { formHref } from "#lib/content/links.ts";

export function Promotion() {
  return (
    <section className="on-dark bg-asphalt-900 py-9 md:py-16">
      <div className="page-width promotion">
        <Copy as="h2" className="type-h2 text-white" text={promotion.title} />
        <ul className="benefits">
          {promotion.benefits.map((benefit) => (
            <li key={benefit} className="benefit">
              <Copy text={benefit} />
            </li>
          ))}
        </ul>
        <ButtonLink href={formHref} variant="yellow" size="lg">
          {promotion.cta}
        </ButtonLink>
      </div>
    </section>
  );
}
