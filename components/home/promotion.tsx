import { ButtonLink } from "#components/ui/button.tsx";
import { PageText } from "#components/ui/page-text.tsx";
import { promotion } from "#lib/content/home-page.ts";
import { formHref } from "#lib/content/links.ts";

export function Promotion() {
  return (
    <section className="on-dark overflow-x-clip bg-asphalt-900 pt-10 md:py-20 lg:py-24">
      <div className="page-width promotion">
        <div>
          <PageText as="h2" className="type-h2 text-white" text={promotion.title} />
          <ButtonLink
            href={formHref}
            variant="yellow"
            size="lg"
            className="mt-5 max-md:w-full md:mt-8"
          >
            {promotion.apply}
          </ButtonLink>
        </div>
        <ul className="benefits">
          {promotion.benefits.map(({ before, figure, title, text }) => (
            <li key={title} className="benefit">
              <p className="benefit-figure">
                {before && <small>{before}</small>}
                {figure}
              </p>
              <div>
                <h3 className="font-bold text-control text-white md:text-lg">{title}</h3>
                <PageText as="p" className="type-small text-asphalt-300" text={text} />
              </div>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
