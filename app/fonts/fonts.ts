/**
 * The files of the site's font, self-hosted and cut to the site's own characters by build/font.ts. globals.css names
 * them in order: a browser asks for a file that is not preloaded when the first of its characters is to be shown.
 */
import { preload } from "react-dom";

const FILES = {
  /** Has the characters that the pages show at first. */
  pages: new URL("./font-pages.woff2", import.meta.url),
  /** Has the further characters of /privacy. */
  privacy: new URL("./font-privacy.woff2", import.meta.url),
};

/** Lets the browser load a font file together with the style sheet, which names that file. */
export function preloadFont(file: keyof typeof FILES): void {
  preload(FILES[file].pathname, { as: "font", type: "font/woff2", crossOrigin: "anonymous" });
}
