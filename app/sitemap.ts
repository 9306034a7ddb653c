import type { MetadataRoute } from "next";
import { connection } from "next/server";
import { config } from "#lib/config.ts";
import { galleryScenes } from "#lib/content/gallery-page.ts";
import { pageIds, pages, pageUrl } from "#lib/content/pages.ts";

export default async function sitemap(): Promise<MetadataRoute.Sitemap> {
  await connection();
  const { siteUrl } = config();
  const scenes = galleryScenes.map(({ src }) => new URL(src, siteUrl).href);
  return pageIds.map((id) => ({
    url: pageUrl(siteUrl, pages[id]),
    ...(id === "gallery" && { images: scenes }),
  }));
}
