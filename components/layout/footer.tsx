import { Brand } from "#components/layout/brand.tsx";
import { type BusinessFact, BusinessFacts } from "#components/layout/business-facts.tsx";
import { Copy } from "#components/ui/copy.tsx";
import { MessageIcon } from "#components/ui/icons.tsx";
import { fill } from "#lib/content/copy.ts";
import { footer } from "#lib/content/layout.ts";
import { smsHref, telHref } from "#lib/content/links.ts";
import { navigation } from "#lib/content/navigation.ts";

const HEADING = "font-bold text-small text-white leading-[1.6]";
const LINK = "inline-flex min-h-11 items-center hover:underline hover:underline-offset-4";

interface FooterProps {
  phone: string;
  year: number;
  facts: readonly BusinessFact[];
}

/** Who, where, and how to reach them; the phone's bottom bar has its room below. */
export function Footer({ phone, year, facts }: FooterProps) {
  return (
    <footer className="on-dark bg-asphalt-900 pb-[calc(4.75rem+env(safe-area-inset-bottom))] text-small text-asphalt-300 leading-[1.6] md:pb-0">
      <div className="page-width footer-columns pt-14 pb-12 md:pt-18 md:pb-14">
        <div className="col-span-full md:col-span-1">
          <Brand className="text-white" />
          <p className="mt-4 max-w-[16rem]">{footer.about}</p>
        </div>
        <nav id="footer-navigation" aria-labelledby="footer-pages" tabIndex={-1}>
          <h2 id="footer-pages" className={HEADING}>
            {footer.pages}
          </h2>
          <ul className="mt-2">
            {navigation
              .filter((item) => item.inFooter)
              .map(({ href, label }) => (
                <li key={href}>
                  <a href={href} className={LINK}>
                    {label}
                  </a>
                </li>
              ))}
          </ul>
        </nav>
        <div>
          <h2 className={HEADING}>{footer.regions}</h2>
          <p className="mt-3 leading-[1.85]">
            <Copy text={footer.regionList} />
          </p>
        </div>
        <div className="col-span-full md:col-span-1">
          <h2 className={HEADING}>{footer.contact}</h2>
          <a
            href={telHref(phone)}
            className={`${LINK} tabular mt-2 whitespace-nowrap font-bold text-[min(1.375rem,8vw)] text-white tracking-[-0.01em]`}
          >
            {phone}
          </a>
          <br />
          <a href={smsHref(phone)} className={`${LINK} gap-2`}>
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
            <a href="/privacy" className={LINK}>
              {footer.privacy}
            </a>
          </p>
        </div>
      </div>
    </footer>
  );
}
