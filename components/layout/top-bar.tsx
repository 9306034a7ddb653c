import { Brand } from "#components/layout/brand.tsx";
import { MobileMenu } from "#components/layout/mobile-menu.tsx";
import { NavLink } from "#components/layout/nav-link.tsx";
import { PhoneIcon } from "#components/ui/icons.tsx";
import { config } from "#lib/config.ts";
import { siteLayoutTexts } from "#lib/content/layout.ts";
import { telHref } from "#lib/content/links.ts";
import { menuPages } from "#lib/content/pages.ts";

export function TopBar() {
  const { inquiryPhone } = config();
  const { home, bar } = siteLayoutTexts;
  return (
    <header className="top-bar">
      <div className="page-width relative flex flex-wrap items-center">
        <a href="/" className="top-home" aria-label={home}>
          <Brand />
        </a>
        <nav aria-label={bar.navigation} className="ml-13 hidden lg:block">
          <ul className="flex font-medium text-asphalt-700 text-control">
            {menuPages.map(({ path, href, name }) => (
              <li key={path}>
                <NavLink path={path} href={href} className="top-link group">
                  {name}
                  <span aria-hidden className="top-link-mark group-current:block" />
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        <a href={telHref(inquiryPhone)} className="top-phone">
          <PhoneIcon className="size-[22px] lg:size-5 narrow:hidden" />
          <span className="sr-only lg:hidden">{bar.phoneHidden}</span>
          <span className="hidden text-small text-asphalt-600 lg:inline">{bar.phone}</span>
          <span className="top-number">{inquiryPhone}</span>
        </a>
        <MobileMenu />
      </div>
    </header>
  );
}
