/**
 * The files of the site's font, which build/font.ts makes. globals.css names them: a browser loads a file that is not
 * preloaded as soon as the page shows one of its characters.
 */
import { preload } from "react-dom";

const FILES = {
  /** Characters that a page shows when it opens. */
  pages: new URL("./font-pages.woff2", import.meta.url),
  /** Characters that only /privacy shows. */
  privacy: new URL("./font-privacy.woff2", import.meta.url),
};

/** Lets the browser load a font file at once, before it has read the style sheet. */
export function preloadFont(file: keyof typeof FILES): void {
  preload(FILES[file].pathname, { as: "font", type: "font/woff2", crossOrigin: "anonymous" });
}
