import { Brand } from "#components/layout/brand.tsx";
import { type BusinessFact, BusinessFacts } from "#components/layout/business-facts.tsx";
import { Copy } from "#components/ui/copy.tsx";
import { MessageIcon } from "#components/ui/icons.tsx";
import { fill } from "#lib/content/copy.ts";
import { footer } from "#lib/content/layout.ts";
import { smsHref, telHref } from "#lib/content/links.ts";
import { navigation } from "#lib/content/navigation.ts";

interface FooterProps {
  phone: string;
  year: number;
  facts: readonly BusinessFact[];
}

/** Who, where, and how to reach them. */
export function Footer({ phone, year, facts }: FooterProps) {
  return (
    <footer className="footer on-dark">
      <div className="page-width footer-columns pt-14 pb-12 md:pt-18 md:pb-14">
        <div className="col-span-full md:col-span-1">
          <Brand className="text-white" />
          <p className="mt-4 max-w-[16rem]">{footer.about}</p>
        </div>
        <nav id="footer-navigation" aria-labelledby="footer-pages" tabIndex={-1}>
          <h2 id="footer-pages" className="footer-heading">
            {footer.pages}
          </h2>
          <ul className="mt-2">
            {navigation
              .filter((item) => item.inFooter)
              .map(({ href, label }) => (
                <li key={href}>
                  <a href={href} className="footer-link">
                    {label}
                  </a>
                </li>
              ))}
          </ul>
        </nav>
        <div>
          <h2 className="footer-heading">{footer.regions}</h2>
          <p className="mt-3 leading-[1.85]">
            <Copy text={footer.regionList} />
          </p>
        </div>
        <div className="col-span-full md:col-span-1">
          <h2 className="footer-heading">{footer.contact}</h2>
          <a href={telHref(phone)} className="footer-link footer-number">
            {phone}
          </a>
          <br />
          <a href={smsHref(phone)} className="footer-link gap-2">
            <MessageIcon className="size-[18px]" />
            {footer.sms}
          </a>
        </div>
      </div>
      <div className="page-width pb-6">
        <div className="type-legal border-asphalt-700 border-t pt-5">
          <BusinessFacts facts={facts} />
          <p className="flex flex-wrap items-center gap-x-5">
            <span>{fill(footer.copyright, { year })}</span>
            <a href="/privacy" className="footer-link">
              {footer.privacy}
            </a>
          </p>
        </div>
      </div>
    </footer>
  );
}
