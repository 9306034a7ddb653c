/**
 * Pretendard, self-hosted and cut to the site's own characters by build/font.ts. A browser asks for a
 * file that is not preloaded when the first of its characters is to be shown. The fallback for all other
 * characters is in globals.css.
 */
import localFont from "next/font/local";

/** What the four pages say. */
export const pretendard = localFont({
  src: "./pretendard-pages.woff2",
  weight: "400 800",
  display: "swap",
  variable: "--font-pretendard",
  adjustFontFallback: false,
});

/** What only /privacy says. */
export const pretendardPrivacy = localFont({
  src: "./pretendard-privacy.woff2",
  weight: "400 800",
  display: "swap",
  variable: "--font-privacy",
  adjustFontFallback: false,
  preload: false,
});

/** What is said once a visitor has done something. */
export const pretendardLater = localFont({
  src: "./pretendard-later.woff2",
  weight: "400 800",
  display: "swap",
  variable: "--font-later",
  adjustFontFallback: false,
  preload: false,
});
