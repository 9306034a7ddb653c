import localFont from "next/font/local";

/**
 * Pretendard, self-hosted and cut to the site's own characters by scripts/subset-font.ts. The fallback for
 * all others is in globals.css.
 */
export const pretendard = localFont({
  src: "./pretendard-subset.woff2",
  weight: "400 800",
  display: "swap",
  variable: "--font-pretendard",
  adjustFontFallback: false,
});

/** The characters that appear only once a visitor has done something; loaded when the first of them does. */
export const pretendardLater = localFont({
  src: "./pretendard-later.woff2",
  weight: "400 800",
  display: "swap",
  variable: "--font-pretendard-later",
  adjustFontFallback: false,
  preload: false,
});
