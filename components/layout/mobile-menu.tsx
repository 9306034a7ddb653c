import { MenuPopover } from "#components/layout/menu-popover.tsx";
import { NavLink } from "#components/layout/nav-link.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { MenuIcon, MessageIcon, PhoneIcon, XIcon } from "#components/ui/icons.tsx";
import { RoadArrow } from "#components/ui/road-arrow.tsx";
import { siteChrome } from "#lib/content/layout.ts";
import { smsHref, telHref } from "#lib/content/links.ts";
import { navigation } from "#lib/content/navigation.ts";

const ICON = "size-[28px]";

/**
 * The menu under 1024 px: a direction sign below the top bar. A browser that cannot open a popover gets a
 * link to the footer's list of pages instead.
 */
export function MobileMenu({ phone }: { phone: string }) {
  return (
    <>
      <a
        href="#footer-navigation"
        aria-label={siteChrome.menu.open}
        className="menu-button hidden lg:hidden not-supports-[selector(:popover-open)]:inline-flex"
      >
        <MenuIcon className={ICON} />
      </a>
      <MenuPopover
        labels={siteChrome.menu}
        icons={{ open: <MenuIcon className={ICON} />, close: <XIcon className={ICON} /> }}
        className="menu-button inline-flex lg:hidden not-supports-[selector(:popover-open)]:hidden"
      >
        <div className="flex min-h-full flex-col rounded-l border-[2.5px] border-white px-[22px] pt-2 pb-5.5">
          <ul>
            {navigation.map(({ path, href, label, english }) => (
              <li key={href} className="border-veil-28 border-b">
                <NavLink
                  path={path}
                  href={href}
                  className="group flex min-h-18.75 flex-wrap items-center gap-x-3.5 py-2 hover:text-lane-500"
                >
                  <span className="font-heavy text-[1.75rem] leading-tight tracking-sign group-aria-[current=page]:text-lane-500">
                    {label}
                  </span>
                  <span lang="en" className="font-medium text-small tracking-normal">
                    {english}
                  </span>
                  <RoadArrow className="ml-auto size-7 text-white" />
                </NavLink>
              </li>
            ))}
          </ul>
          <p className="type-small mt-auto pt-8 text-white">{siteChrome.menu.note}</p>
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
              {siteChrome.menu.sms}
            </ButtonLink>
          </div>
        </div>
      </MenuPopover>
    </>
  );
}
