import localFont from "next/font/local";

/** Pretendard, self-hosted and cut to the site's own characters by scripts/subset-font.ts. */
export const pretendard = localFont({
  src: "./pretendard-subset.woff2",
  weight: "400 800",
  display: "swap",
  variable: "--font-pretendard",
});
