import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import type { NextConfig } from "next";
import { STOCK_PHOTO_HOST } from "./lib/content/business.ts";

/** Another one when a preview picture may be; see lib/content/previews.ts. */
function previewVersion(): string {
  const sources = ["components/preview/*", "lib/content/*.ts", "public/art/*.svg"];
  const hash = createHash("sha256");
  for (const file of globSync([...sources, "tailwind.config.ts"]).sort()) {
    hash.update(readFileSync(file));
  }
  return hash.digest("hex").slice(0, 12);
}

export default {
  env: { PREVIEW_VERSION: previewVersion() },
  poweredByHeader: false,
  productionBrowserSourceMaps: false,
  typescript: { ignoreBuildErrors: false },
  // The server asks for each page once and keeps it: its metadata belongs into the head for everybody.
  htmlLimitedBots: /.*/,
  images: {
    // One format, one quality and few widths: each is encoded by this process, on the first request for it.
    formats: ["image/webp"],
    qualities: [75],
    imageSizes: [256, 384],
    deviceSizes: [640, 828, 1080, 1440, 1920, 2560],
    maximumResponseBody: 20_000_000,
    maximumDiskCacheSize: 500_000_000,
    // The address of an optimized photo can be opened by itself; SVG never passes through here.
    contentDispositionType: "inline",
    // Redirects are not followed: they could lead away from the one host.
    maximumRedirects: 0,
    remotePatterns: [{ protocol: "https", hostname: STOCK_PHOTO_HOST }],
  },
} satisfies NextConfig;
