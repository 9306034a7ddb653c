"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { useMenuKeys } from "#components/layout/use-menu-keys.ts";
import { MenuIcon, XIcon } from "#components/ui/icons.tsx";

const MENU_ID = "site-menu";
const MENU_ICON = "size-[28px]";

/** Older browsers do not know the selector, and have nothing that could be open. */
function isOpen(popover: HTMLElement): boolean {
  return CSS.supports("selector(:popover-open)") && popover.matches(":popover-open");
}

/** The menu's button and its panel. A popover, so that the browser opens and closes it even without script. */
export function MenuPopover({
  labels,
  className,
  children,
}: {
  labels: { open: string; close: string; navigation: string };
  /** Of the button. */
  className: string;
  children: ReactNode;
}) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLElement>(null);
  useMenuKeys({ open, button, panel });
  // A visitor may have opened it before this script was there; no event tells of that any more.
  useEffect(() => setOpen(panel.current !== null && isOpen(panel.current)), []);

  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={MENU_ID}
        aria-controls={MENU_ID}
        // Without a script it is the browser that knows whether the menu is open.
        aria-expanded={open || undefined}
        aria-label={open ? labels.close : labels.open}
        className={className}
      >
        {open ? <XIcon className={MENU_ICON} /> : <MenuIcon className={MENU_ICON} />}
      </button>
      <nav
        ref={panel}
        id={MENU_ID}
        popover="auto"
        aria-label={labels.navigation}
        onToggle={(event) => setOpen(event.newState === "open")}
        className="menu-panel on-dark not-supports-[selector(:popover-open)]:hidden"
      >
        {children}
      </nav>
    </>
  );
}
