/** Font files of build/font.ts. A browser loads a file without preload once the page shows one of its characters. */
import { preload } from "react-dom";

const FILES = {
  /** Characters that every page shows when it opens. */
  pages: new URL("./font-pages.woff2", import.meta.url),
  /** Characters that only /privacy shows. */
  privacy: new URL("./font-privacy.woff2", import.meta.url),
};

export function preloadFont(file: keyof typeof FILES): void {
  preload(FILES[file].pathname, { as: "font", type: "font/woff2", crossOrigin: "anonymous" });
}
