import type { NextConfig } from "next";
import { STOCK_PHOTO_HOST } from "./lib/content/business.ts";

export default {
  poweredByHeader: false,
  // Strict mode, in development only, runs every effect twice: an overlay would step back in the history, and close.
  reactStrictMode: false,
  productionBrowserSourceMaps: false,
  typescript: { ignoreBuildErrors: false },
  // Next puts the metadata into the head for every client, because the page cache has one response for all.
  htmlLimitedBots: /.*/,
  experimental: {
    // Next sends and caches the original photo if encoding takes longer. With the 7 s for fetching a stock photo, the
    // sum stays below the 30 s of server/render-with-next.ts.
    imgOptTimeoutInSeconds: 20,
    // Bytes of source code. With this minimum the code of /contact is one file, which compresses better than several.
    turbopackChunking: { minChunkSize: 150_000 },
  },
  images: {
    // The server encodes each variant of a photo on the first request, so few variants are offered.
    formats: ["image/webp"],
    qualities: [75],
    imageSizes: [256, 384],
    deviceSizes: [640, 828, 1080, 1440, 1920, 2560],
    maximumResponseBody: 20_000_000,
    // The server caches optimized photos in memory. A container and the systemd unit cannot write beside the program.
    maximumDiskCacheSize: 0,
    // Visitors can open an optimized photo in a tab. No optimized photo is an SVG, which could run a script.
    contentDispositionType: "inline",
    // A redirect could lead to another host.
    maximumRedirects: 0,
    remotePatterns: [{ protocol: "https", hostname: STOCK_PHOTO_HOST }],
  },
} satisfies NextConfig;
