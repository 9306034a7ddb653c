/**
 * The site's font, self-hosted and cut to the site's own characters by build/font.ts. A browser asks for a
 * file that is not preloaded when the first of its characters is to be shown. The fallback for all other
 * characters is in globals.css.
 */
import localFont from "next/font/local";

/** This font has the characters that the pages show at first. */
const pageFont = localFont({
  src: "./font-pages.woff2",
  weight: "400 800",
  display: "swap",
  variable: "--font-pages",
  adjustFontFallback: false,
});

/** Further characters of /privacy and of texts that appear after a visitor's action. */
const laterFont = localFont({
  src: "./font-later.woff2",
  weight: "400 800",
  display: "swap",
  variable: "--font-later",
  adjustFontFallback: false,
  preload: false,
});

export const fonts = [pageFont, laterFont];
