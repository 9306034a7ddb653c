"use client";

import { usePathname } from "next/navigation";
import type { ComponentProps } from "react";

/** A link to the page `path` that marks the current page. A click closes the menu around it. */
export function NavLink({
  path,
  hrefHere,
  ...rest
}: ComponentProps<"a"> & {
  path: string;
  /** Target of the link on its own page. */
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
 * The menu's panel, which follows its button in the document. The browser opens and closes it, also without a
 * script. The script closes it when the focus leaves it, so that it does not cover the next focused element.
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
