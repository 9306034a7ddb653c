import type { MetadataRoute } from "next";
import { business } from "#lib/content/business.ts";
import { pages } from "#lib/content/pages.ts";
import design from "../tailwind.config.ts";

export default function manifest(): MetadataRoute.Manifest {
  return {
    id: "/",
    name: business.name,
    short_name: business.shortName,
    description: pages.home.description,
    lang: "ko",
    start_url: "/",
    display: "minimal-ui",
    theme_color: design.theme.colors.paper,
    background_color: design.theme.colors.paper,
    icons: [
      { src: "/icons/icon-192.png", sizes: "192x192", type: "image/png" },
      { src: "/icons/icon-512.png", sizes: "512x512", type: "image/png" },
      {
        src: "/icons/icon-maskable-512.png",
        sizes: "512x512",
        type: "image/png",
        purpose: "maskable",
      },
    ],
  };
}
