import { Brand } from "#components/layout/brand.tsx";
import { MessageIcon } from "#components/ui/icons.tsx";
import { PageText } from "#components/ui/page-text.tsx";
import { seoulYear } from "#lib/application/seoul-time.ts";
import { config } from "#lib/config.ts";
import { footerTexts } from "#lib/content/layout.ts";
import { smsHref, telHref } from "#lib/content/links.ts";
import { menuPages, pages } from "#lib/content/pages.ts";
import { fillPlaceholders } from "#lib/content/text-notation.ts";

const HEADING = "font-bold text-white";

export function Footer() {
  const { inquiryPhone } = config();
  return (
    <footer className="footer on-dark">
      <div className="page-width footer-columns">
        <div className="col-span-full text-white md:col-span-1">
          <Brand />
          <p className="mt-4 max-w-[16rem] text-asphalt-300">{footerTexts.about}</p>
        </div>
        <nav id="footer-navigation" aria-labelledby="footer-pages" tabIndex={-1}>
          <h2 id="footer-pages" className={HEADING}>
            {footerTexts.pages}
          </h2>
          <ul className="mt-2">
            {menuPages.map(({ href, name }) => (
              <li key={href}>
                <a href={href} className="footer-link">
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div>
          <h2 className={HEADING}>{footerTexts.regions}</h2>
          <PageText as="p" className="mt-3 leading-[1.85]" text={footerTexts.regionNames} />
        </div>
        <div className="col-span-full md:col-span-1">
          <h2 className={HEADING}>{footerTexts.contact}</h2>
          <a href={telHref(inquiryPhone)} className="footer-number footer-link">
            {inquiryPhone}
          </a>
          <br />
          <a href={smsHref(inquiryPhone)} className="footer-link gap-2">
            <MessageIcon className="size-[18px]" />
            {footerTexts.sms}
          </a>
        </div>
      </div>
      <div className="page-width pb-6">
        <div className="type-legal border-asphalt-700 border-t pt-5">
          <BusinessFacts />
          <p className="flex flex-wrap items-center gap-x-5">
            {fillPlaceholders(footerTexts.copyright, { year: seoulYear(Date.now()) })}
            {/* The guideline on personal data (article 20) wants this link to differ from the other texts. */}
            <a href={pages.privacy.path} className={`footer-link ${HEADING}`}>
              {pages.privacy.name}
            </a>
          </p>
        </div>
      </div>
    </footer>
  );
}

function BusinessFacts() {
  const configured = config();
  const facts = footerTexts.facts.filter(({ fact }) => configured[fact]);
  if (facts.length === 0) return null;
  return (
    <dl className="mb-2 flex flex-wrap gap-x-5 gap-y-1">
      {facts.map(({ fact, label }) => (
        <div key={fact} className="flex min-w-0 gap-1.5">
          <dt className="shrink-0 text-asphalt-350">{label}</dt>
          <dd className="min-w-0">{configured[fact]}</dd>
        </div>
      ))}
    </dl>
  );
}
