import { ButtonLink } from "#components/ui/button.tsx";
import { Copy } from "#components/ui/copy.tsx";
import { type Benefit, promotion } from "#lib/content/home.ts";
import { formHref } from "#lib/content/links.ts";

/** The discount: its words stand in the page's column, its three lanes run out of the window's right edge. */
export function Promotion() {
  return (
    <section className="promotion on-dark bg-asphalt-900">
      <div className="min-w-0 px-5 pb-9 md:px-8 md:pb-12 lg:px-0 lg:pr-8 lg:pb-0">
        <Copy as="h2" className="type-h2 text-white" text={promotion.title} />
        <p className="type-lead mt-4 max-w-[19rem] text-asphalt-300">
          <Copy text={promotion.lead} />
        </p>
        <ButtonLink href={formHref} variant="yellow" size="lg" className="mt-7">
          {promotion.cta}
        </ButtonLink>
      </div>
      <ul className="min-w-0 border-white border-y-4 bg-asphalt-700">
        {promotion.benefits.map((benefit) => (
          <Lane key={benefit.title} {...benefit} />
        ))}
      </ul>
    </section>
  );
}

function Lane({ prefix, figure, title, text }: Benefit) {
  return (
    <li className="group">
      <div className="promotion-lane">
        <p className="promotion-figure">
          {prefix && <span className="mr-1.5 font-bold text-[0.6em] tracking-sign">{prefix}</span>}
          {figure}
        </p>
        <div className="min-w-0">
          <h3 className="font-bold text-lg text-white leading-[1.45] tracking-title lg:text-[1.3125rem]">
            {title}
          </h3>
          <Copy as="p" className="type-body mt-1 text-balance text-asphalt-300" text={text} />
        </div>
      </div>
      <span aria-hidden className="promotion-line group-last:hidden" />
    </li>
  );
}
