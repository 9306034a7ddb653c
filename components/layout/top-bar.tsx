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
    <header className="sticky top-0 z-40 flex min-h-15 items-center border-asphalt-300 border-b bg-paper md:min-h-17 lg:min-h-19">
      <div className="page-width flex items-center">
        <a href="/" className="min-w-0 py-1.5 text-asphalt-900" aria-label={siteChrome.home}>
          <Brand className="[&>svg]:text-sign-700" />
        </a>
        <nav aria-label={siteChrome.bar.navigation} className="ml-13 hidden lg:block">
          <ul className="flex">
            {navigation.map(({ path, href, label }) => (
              <li key={href}>
                <NavLink path={path} href={href} className="top-link group">
                  {label}
                  <span
                    aria-hidden
                    className="dashes-current absolute inset-x-3.5 bottom-[3px] hidden text-sign-700 group-aria-[current=page]:block xl:inset-x-4"
                  />
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        <a href={telHref(phone)} className="top-phone">
          <PhoneIcon className="size-[22px] lg:size-5" />
          <span className="sr-only lg:hidden">{siteChrome.bar.phoneHidden}</span>
          <span className="hidden text-small text-asphalt-600 lg:inline">
            {siteChrome.bar.phone}
          </span>
          <span className="tabular sr-only font-bold text-control min-[26.25rem]:not-sr-only">
            {phone}
          </span>
        </a>
        <MobileMenu phone={phone} />
      </div>
    </header>
  );
}
