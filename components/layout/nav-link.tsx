"use client";

import { usePathname } from "next/navigation";
import type { ComponentProps } from "react";

/** A click closes the menu around the link. */
export function NavLink({
  path,
  hrefHere,
  ...rest
}: ComponentProps<"a"> & {
  path: string;
  /** The target if `path` is the current page. */
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

/** Must be rendered right after its button. Closes when the focus leaves: the menu could cover what has the focus. */
export function MenuPopover(props: ComponentProps<"nav">) {
  return (
    <nav
      {...props}
      popover="auto"
      onBlur={({ relatedTarget, currentTarget }) => {
        const own = [currentTarget, currentTarget.previousElementSibling];
        if (relatedTarget && !own.some((element) => element?.contains(relatedTarget)))
          currentTarget.hidePopover();
      }}
    />
  );
}
