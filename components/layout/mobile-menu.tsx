import { MenuPopover, NavLink } from "#components/layout/nav-link.tsx";
import { AcademyRegistration } from "#components/pricing/academy-registration.tsx";
import { ButtonLink, CallButton } from "#components/ui/button.tsx";
import { MenuIcon, MessageIcon, XIcon } from "#components/ui/icons.tsx";
import { RoadArrow } from "#components/ui/road-arrow.tsx";
import { config } from "#lib/config.ts";
import { siteLayoutTexts } from "#lib/content/layout.ts";
import { smsHref } from "#lib/content/links.ts";
import { menuPages } from "#lib/content/pages.ts";

const MENU_ID = "site-menu";
const ICON_SIZE = "size-[28px]";

/** A browser without popovers gets a link to the pages in the footer. */
export function MobileMenu() {
  const { open, close, navigation } = siteLayoutTexts.menu;
  return (
    <>
      <a
        href="#footer-navigation"
        aria-label={open}
        className="menu-button hidden lg:hidden not-supports-[selector(:popover-open)]:inline-flex"
      >
        <MenuIcon className={ICON_SIZE} />
      </a>
      <button
        type="button"
        popoverTarget={MENU_ID}
        className="menu-button inline-flex lg:hidden not-supports-[selector(:popover-open)]:hidden"
      >
        <span className="menu-opened:hidden">
          <MenuIcon className={ICON_SIZE} />
          <span className="sr-only">{open}</span>
        </span>
        <span className="hidden menu-opened:inline">
          <XIcon className={ICON_SIZE} />
          <span className="sr-only">{close}</span>
        </span>
      </button>
      <MenuPopover
        id={MENU_ID}
        aria-label={navigation}
        className="menu-panel on-dark not-supports-[selector(:popover-open)]:hidden"
      >
        <MenuSign />
      </MenuPopover>
    </>
  );
}

function MenuSign() {
  const { inquiryPhone } = config();
  const { note, sms } = siteLayoutTexts.menu;
  return (
    <div className="menu-sign">
      <ul>
        {menuPages.map(({ path, href, name, english }) => (
          <li key={path} className="border-veil-28 border-b">
            <NavLink path={path} href={href} className="menu-link group">
              <span className="menu-name">{name}</span>
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
        <CallButton phone={inquiryPhone} variant="yellow" />
        <ButtonLink href={smsHref(inquiryPhone)} variant="ghost" size="lg" icon={MessageIcon}>
          {sms}
        </ButtonLink>
      </div>
      <AcademyRegistration className="mt-5 w-fit rounded-s border border-white px-2.5 py-0.5 font-semibold" />
    </div>
  );
}
