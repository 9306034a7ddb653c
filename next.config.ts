import type { NextConfig } from "next";
import { STOCK_PHOTO_HOST } from "./lib/content/business.ts";

export default {
  poweredByHeader: false,
  productionBrowserSourceMaps: false,
  typescript: { ignoreBuildErrors: false },
  // The server renders each page once and keeps it, so its metadata belongs into the head for every client.
  htmlLimitedBots: /.*/,
  experimental: {
    // Next sends, and keeps, the whole photo when encoding takes longer. Together with the 7 s that Next allows a stock
    // photo's host, it is less than the 30 s after which server/render-with-next.ts gives up.
    imgOptTimeoutInSeconds: 20,
    // Turbopack merges smaller files, in bytes of source code. The code of /contact is one file, which compresses better.
    turbopackChunking: { minChunkSize: 150_000 },
  },
  images: {
    // One format, one quality and few widths: this process encodes each on its first request.
    formats: ["image/webp"],
    qualities: [75],
    imageSizes: [256, 384],
    deviceSizes: [640, 828, 1080, 1440, 1920, 2560],
    maximumResponseBody: 20_000_000,
    maximumDiskCacheSize: 500_000_000,
    // Visitors can open the address of an optimized photo itself; SVG never passes through here.
    contentDispositionType: "inline",
    // Redirects are not followed: they could lead away from the one host.
    maximumRedirects: 0,
    remotePatterns: [{ protocol: "https", hostname: STOCK_PHOTO_HOST }],
  },
} satisfies NextConfig;
