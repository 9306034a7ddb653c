import { type RefObject, useEffect } from "react";

interface MenuParts {
  open: boolean;
  button: RefObject<HTMLButtonElement | null>;
  panel: RefObject<HTMLElement | null>;
}

/**
 * What the open menu needs of a script: the page behind it is out of reach, Tab goes round between
 * the button and the menu's links, the focus returns to the button, and a wider window closes it.
 */
export function useMenuKeys({ open, button, panel }: MenuParts) {
  useEffect(() => {
    const menu = panel.current;
    const toggle = button.current;
    if (!open || !menu || !toggle) return;

    const listening = new AbortController();
    const { signal } = listening;
    const behind = document.body.querySelectorAll(":scope > :not(header, script)");
    behind.forEach((element) => {
      element.toggleAttribute("inert", true);
    });

    document.addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "Tab") return;
        const stops: HTMLElement[] = [toggle, ...menu.querySelectorAll("a")];
        const focused = document.activeElement;
        const now = focused instanceof HTMLElement ? stops.indexOf(focused) : -1;
        const step = event.shiftKey ? -1 : 1;
        stops.at(now === -1 ? 0 : (now + step) % stops.length)?.focus();
        event.preventDefault();
      },
      { signal },
    );
    // A link that stays on this page (a call, a text message) closes the menu too.
    menu.addEventListener(
      "click",
      ({ target }) => target instanceof Element && target.closest("a") && menu.hidePopover(),
      { signal },
    );
    window
      .matchMedia("(width >= 64rem)")
      .addEventListener("change", ({ matches }) => matches && menu.hidePopover(), { signal });

    return () => {
      listening.abort();
      behind.forEach((element) => {
        element.toggleAttribute("inert", false);
      });
      if (document.activeElement === document.body) toggle.focus();
    };
  }, [open, button, panel]);
}
