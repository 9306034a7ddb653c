"use client";

import { usePathname } from "next/navigation";
import type { ComponentProps } from "react";

/** A link to a page, `path`, that knows whether the visitor is on it. It closes the menu that it stands in. */
export function NavLink({
  path,
  hrefHere,
  ...rest
}: ComponentProps<"a"> & {
  path: string;
  /** Where it leads on that page itself. */
  hrefHere?: string;
}) {
  const isHere = usePathname() === path;
  return (
    <a
      {...rest}
      href={(isHere && hrefHere) || rest.href}
      aria-current={isHere ? "page" : undefined}
      onClick={({ currentTarget }) =>
        currentTarget.closest<HTMLElement>("[popover]")?.hidePopover()
      }
    />
  );
}

/**
 * The menu's panel, right behind its button. The browser opens and closes it, also without this script, which closes
 * it when the focus leaves it: what then has the focus is not covered.
 */
export function MenuPanel(props: ComponentProps<"nav">) {
  return (
    <nav
      {...props}
      popover="auto"
      onBlur={({ relatedTarget, currentTarget }) => {
        const within = [currentTarget, currentTarget.previousElementSibling];
        if (relatedTarget && !within.some((part) => part?.contains(relatedTarget)))
          currentTarget.hidePopover();
      }}
    />
  );
}
