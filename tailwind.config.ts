import type { Config } from "tailwindcss";
import { COURSE_HOURS } from "#lib/content/prices.ts";

/** Fonts of the device, for characters that the site's font files lack. Mails use no other fonts. */
export const systemFonts = [
  "-apple-system",
  "BlinkMacSystemFont",
  "'Apple SD Gothic Neo'",
  "'Malgun Gothic'",
  "sans-serif",
];
const laterFonts = ["'Site later'", "'Site rest'", "'Site fallback'", ...systemFonts];

/**
 * The tokens of the site: colours, sizes and weights of text, radii, breakpoints and durations. The text styles are in
 * app/type.css, the classes of repeated parts in app/components.css.
 */
export default {
  theme: {
    // Breakpoints in rem give a browser with a larger font the layout of a narrower screen.
    screens: { sm: "40rem", md: "48rem", lg: "64rem", xl: "80rem" },
    colors: {
      transparent: "transparent",
      white: "#FFFFFF",
      paper: "#FAF8F3",
      placeholder: "#69727C",
      /** White, by opacity in percent. `scrim` is the shade behind a dialog. */
      veil: { 12: "#FFFFFF1F", 20: "#FFFFFF33", 28: "#FFFFFF47", 40: "#FFFFFF66", 55: "#FFFFFF8C" },
      scrim: "#15181CB8",
      asphalt: {
        100: "#ECEEF0",
        300: "#D6DADF",
        350: "#B4BBC3",
        400: "#8B949E",
        450: "#7A838D",
        500: "#565E68",
        600: "#4D555E",
        700: "#2B3036",
        800: "#1E2227",
        900: "#15181C",
      },
      sign: {
        100: "#DDF1E8",
        700: "#006B4B",
        800: "#00573D",
        900: "#00402D",
      },
      lane: { 100: "#FFF3CC", 400: "#FFD558", 500: "#FFC629", 600: "#F2B705", 700: "#C99500" },
      error: { 50: "#FCEDEA", 500: "#C23A28", 600: "#B03222" },
    },
    fontFamily: {
      sans: ["'Site pages'", ...laterFonts],
      privacy: ["'Site pages'", "'Site privacy'", ...laterFonts],
    },
    /** Sizes for text without one of the text styles of app/type.css. */
    fontSize: {
      legal: "0.8125rem",
      helper: "0.875rem",
      small: "0.9375rem",
      base: "1rem",
      control: "1.0625rem",
      lg: "1.125rem",
      xl: "1.25rem",
      "2xl": "1.5rem",
      sign: "1.625rem",
    },
    fontWeight: {
      normal: "400",
      medium: "500",
      semibold: "600",
      strong: "650",
      bold: "700",
      heavy: "750",
      extrabold: "800",
    },
    letterSpacing: { normal: "0em", button: "-0.015em", sign: "-0.02em", title: "-0.022em" },
    borderRadius: { none: "0", s: "6px", m: "10px", l: "14px", xl: "20px", full: "9999px" },
    transitionTimingFunction: { road: "cubic-bezier(.2,.7,.2,1)" },
    transitionDuration: { base: "180ms", slow: "280ms" },
    hours: { course: `${COURSE_HOURS}` },
  },
} satisfies Config;
