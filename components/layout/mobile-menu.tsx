import { MenuPanel } from "#components/layout/menu-panel.tsx";
import { NavLink } from "#components/layout/nav-link.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { MenuIcon, MessageIcon, PhoneIcon, XIcon } from "#components/ui/icons.tsx";
import { RoadArrow } from "#components/ui/road-arrow.tsx";
import { siteChrome } from "#lib/content/layout.ts";
import { smsHref, telHref } from "#lib/content/links.ts";
import { navigation } from "#lib/content/navigation.ts";

const MENU_ID = "site-menu";
const ICON = "size-[28px]";

/**
 * The menu under 1024 px: a direction sign below the top bar. A browser that cannot open a popover gets a
 * link to the footer's list of pages instead.
 */
export function MobileMenu({ phone }: { phone: string }) {
  const { open, close, navigation: label, note, sms } = siteChrome.menu;
  return (
    <>
      <a
        href="#footer-navigation"
        aria-label={open}
        className="menu-button hidden lg:hidden not-supports-[selector(:popover-open)]:inline-flex"
      >
        <MenuIcon className={ICON} />
      </a>
      <button
        type="button"
        popoverTarget={MENU_ID}
        className="menu-button inline-flex lg:hidden not-supports-[selector(:popover-open)]:hidden"
      >
        <span className="menu-open">
          <MenuIcon className={ICON} />
          <span className="sr-only">{open}</span>
        </span>
        <span className="menu-close">
          <XIcon className={ICON} />
          <span className="sr-only">{close}</span>
        </span>
      </button>
      <MenuPanel
        id={MENU_ID}
        aria-label={label}
        className="menu-panel on-dark not-supports-[selector(:popover-open)]:hidden"
      >
        <div className="menu-sign">
          <ul>
            {navigation.map(({ path, href, label, english }) => (
              <li key={href} className="border-veil-28 border-b">
                <NavLink path={path} href={href} className="menu-row">
                  <span className="menu-page">{label}</span>
                  <span lang="en" className="font-medium text-small tracking-normal">
                    {english}
                  </span>
                  <RoadArrow className="ml-auto size-7 text-white" />
                </NavLink>
              </li>
            ))}
          </ul>
          <p className="type-small mt-auto pt-8 text-white">{note}</p>
          <div className="mt-2.5 grid gap-2.5">
            <ButtonLink
              href={telHref(phone)}
              variant="yellow"
              size="lg"
              icon={PhoneIcon}
              className="button-number"
            >
              {phone}
            </ButtonLink>
            <ButtonLink href={smsHref(phone)} variant="ghost" size="lg" icon={MessageIcon}>
              {sms}
            </ButtonLink>
          </div>
        </div>
      </MenuPanel>
    </>
  );
}
