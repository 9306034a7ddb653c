import type { NextConfig } from "next";
import { STOCK_PHOTO_HOST } from "./lib/content/business.ts";

export default {
  poweredByHeader: false,
  productionBrowserSourceMaps: false,
  typescript: { ignoreBuildErrors: false },
  // The server asks for each page once and keeps it: its metadata belongs into the head for everybody.
  htmlLimitedBots: /.*/,
  // A picture that takes longer is sent, and kept, as the whole photo. With the 7 s that Next gives to a
  // stock photo's host it is less than the 30 s after which server/render-with-next.ts gives up.
  experimental: { imgOptTimeoutInSeconds: 20 },
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
