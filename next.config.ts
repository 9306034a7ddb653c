import type { NextConfig } from "next";
import { STOCK_PHOTO_HOST } from "./lib/content/business.ts";

export default {
  poweredByHeader: false,
  productionBrowserSourceMaps: false,
  typescript: { ignoreBuildErrors: false },
  images: {
    formats: ["image/avif", "image/webp"],
    remotePatterns: [{ protocol: "https", hostname: STOCK_PHOTO_HOST }],
  },
} satisfies NextConfig;
