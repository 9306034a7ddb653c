"use client";

import type { ComponentProps } from "react";

/**
 * The menu's panel, right behind its button. The browser opens and closes it, also without this script, which closes
 * it on a link that stays on the page, and when the focus leaves it: what then has the focus is not covered.
 */
export function MenuPanel(props: ComponentProps<"nav">) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a key on a link is a click.
    <nav
      {...props}
      popover="auto"
      onClick={({ target, currentTarget }) => {
        if (target instanceof Element && target.closest("a")) currentTarget.hidePopover();
      }}
      onBlur={({ relatedTarget, currentTarget }) => {
        const within = [currentTarget, currentTarget.previousElementSibling];
        if (relatedTarget && !within.some((part) => part?.contains(relatedTarget)))
          currentTarget.hidePopover();
      }}
    />
  );
}
