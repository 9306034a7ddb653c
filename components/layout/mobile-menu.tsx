"use client";

import { Menu, MessageSquare, Phone, X } from "lucide-react";
import { useRef, useState } from "react";
import { NavLink } from "#components/layout/nav-link.tsx";
import { useMenuKeys } from "#components/layout/use-menu-keys.ts";
import { ButtonLink } from "#components/ui/button.tsx";
import { RoadArrow } from "#components/ui/road-arrow.tsx";
import { smsTemplate } from "#lib/content/business.ts";
import { frame } from "#lib/content/layout.ts";
import { smsHref, telHref } from "#lib/content/links.ts";
import { navigation } from "#lib/content/navigation.ts";

// A browser that cannot open a popover gets a link to the footer's list of pages instead.
const MENU_ID = "site-menu";
const BUTTON =
  "-mr-[12px] ml-1 size-[48px] shrink-0 items-center justify-center rounded-m text-asphalt-900 hover:text-sign-700 lg:hidden";

/**
 * The menu under 1024 px: a direction sign below the top bar. It is a popover, so that the browser
 * opens and closes it (Esc too) even where no script runs; the script adds the rest.
 */
export function MobileMenu({ phone }: { phone: string }) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLElement>(null);
  useMenuKeys({ open, button, panel });
  const close = () => panel.current?.hidePopover();

  return (
    <>
      <a
        href="#footer-navigation"
        aria-label={frame.menu.open}
        className={`hidden not-supports-[selector(:popover-open)]:inline-flex ${BUTTON}`}
      >
        <Menu aria-hidden className="size-[28px]" strokeWidth={1.9} />
      </a>
      <button
        ref={button}
        type="button"
        popoverTarget={MENU_ID}
        aria-controls={MENU_ID}
        aria-expanded={open}
        aria-label={open ? frame.menu.close : frame.menu.open}
        className={`inline-flex not-supports-[selector(:popover-open)]:hidden ${BUTTON}`}
      >
        {open ? (
          <X aria-hidden className="size-[28px]" strokeWidth={1.9} />
        ) : (
          <Menu aria-hidden className="size-[28px]" strokeWidth={1.9} />
        )}
      </button>
      <nav
        ref={panel}
        id={MENU_ID}
        popover="auto"
        aria-label={frame.menu.navigation}
        onToggle={(event) => setOpen(event.newState === "open")}
        className="on-dark fade-in inset-x-0 top-15 bottom-0 h-auto w-full overflow-y-auto overscroll-contain bg-sign-800 p-2.5 text-white md:top-17 lg:hidden not-supports-[selector(:popover-open)]:hidden"
      >
        <div className="flex min-h-full flex-col rounded-l border-[2.5px] border-white px-[22px] pt-2 pb-5.5">
          <ul>
            {navigation.map(({ href, label, english }) => (
              <li key={href} className="border-white/28 border-b">
                <NavLink
                  href={href}
                  onClick={close}
                  className="group flex min-h-18.75 flex-wrap items-center gap-x-3.5 py-2 hover:text-lane-500"
                >
                  <span className="font-[750] text-[1.75rem] leading-tight tracking-[-0.02em] group-aria-[current=page]:text-lane-500">
                    {label}
                  </span>
                  <span lang="en" className="font-medium text-[0.9375rem] tracking-normal">
                    {english}
                  </span>
                  <RoadArrow className="ml-auto size-7 text-white" />
                </NavLink>
              </li>
            ))}
          </ul>
          <p className="type-small mt-auto pt-8 text-white">{frame.menu.note}</p>
          <div className="mt-2.5 grid gap-2.5">
            <ButtonLink
              href={telHref(phone)}
              onClick={close}
              variant="yellow"
              size="lg"
              icon={Phone}
              className="tabular whitespace-nowrap px-3! text-[min(1.0625rem,6.4vw)]!"
            >
              {phone}
            </ButtonLink>
            <ButtonLink
              href={smsHref(phone, smsTemplate)}
              onClick={close}
              variant="ghost"
              size="lg"
              icon={MessageSquare}
            >
              {frame.menu.sms}
            </ButtonLink>
          </div>
        </div>
      </nav>
    </>
  );
}
