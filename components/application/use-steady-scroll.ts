"use client";

import { type RefObject, useEffect } from "react";

/**
 * What comes into this place above the content must not move the text under a reader who has scrolled.
 * Most browsers see to that themselves (scroll anchoring); where it is missing, the page scrolls along.
 */
export function useSteadyScroll(place: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = place.current;
    if (!element || CSS.supports("overflow-anchor", "auto")) return;
    let height = element.offsetHeight;
    const observer = new ResizeObserver(() => {
      const grown = element.offsetHeight - height;
      height += grown;
      if (scrollY > 0) scrollBy({ top: grown, behavior: "instant" });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [place]);
}
