/** The font files that build/font.ts makes. A page without preload would first show its text in another font. */
import { preload } from "react-dom";

const FILES = {
  /** Characters that pages show when they open. */
  pages: new URL("./font-pages.woff2", import.meta.url),
  /** Characters that only /privacy shows. */
  privacy: new URL("./font-privacy.woff2", import.meta.url),
};

export function preloadFont(file: keyof typeof FILES): void {
  preload(FILES[file].pathname, { as: "font", type: "font/woff2", crossOrigin: "anonymous" });
}
