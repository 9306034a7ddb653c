import type { NextConfig } from "next";

export default {
  poweredByHeader: false,
  // In development, strict mode would run every effect twice: an overlay would step back in the history, and close.
  reactStrictMode: false,
  productionBrowserSourceMaps: false,
  typescript: { ignoreBuildErrors: false },
  // Next puts the metadata into the head for every client, because the page cache has one response for all.
  htmlLimitedBots: /.*/,
  experimental: {
    // In bytes of source code: so the code of /contact is one file, which compresses better than several.
    turbopackChunking: { minChunkSize: 150_000 },
  },
  // The build makes the photos (build/pictures.ts), so nothing is resized for a visitor.
  images: { unoptimized: true },
  // In development a photo is shown as it is.
  rewrites: async () => [
    { source: "/_resized/:photo*/:width(\\d+).webp", destination: "/:photo*" },
  ],
} satisfies NextConfig;
