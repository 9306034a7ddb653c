import { Brand } from "#components/layout/brand.tsx";
import { MobileMenu } from "#components/layout/mobile-menu.tsx";
import { NavLink } from "#components/layout/nav-link.tsx";
import { PhoneIcon } from "#components/ui/icons.tsx";
import { siteChrome } from "#lib/content/layout.ts";
import { telHref } from "#lib/content/links.ts";
import { navigation } from "#lib/content/navigation.ts";

/** The bar that stays at the top: the way home, the pages, the phone. */
export function TopBar({ phone }: { phone: string }) {
  return (
    <header className="top-bar sticky top-0 z-40 flex min-h-15 items-center border-asphalt-300 border-b bg-paper md:min-h-17 lg:min-h-19">
      <div className="page-width flex flex-wrap items-center">
        <a href="/" className="min-w-0 py-1.5 text-asphalt-900" aria-label={siteChrome.home}>
          <Brand className="top-brand" />
        </a>
        <nav aria-label={siteChrome.bar.navigation} className="ml-13 hidden lg:block">
          <ul className="flex">
            {navigation.map(({ path, href, label }) => (
              <li key={href}>
                <NavLink path={path} href={href} className="top-link">
                  {label}
                  <span aria-hidden className="top-link-mark dashes-current" />
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        <a href={telHref(phone)} className="top-phone">
          <PhoneIcon className="top-phone-icon" />
          <span className="sr-only lg:hidden">{siteChrome.bar.phoneHidden}</span>
          <span className="hidden text-small text-asphalt-600 lg:inline">
            {siteChrome.bar.phone}
          </span>
          <span className="top-number">{phone}</span>
        </a>
        <MobileMenu phone={phone} />
      </div>
    </header>
  );
}
