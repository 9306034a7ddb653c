import type { MetadataRoute } from "next";
import { connection } from "next/server";
import { config } from "#lib/config.ts";
import { gallery } from "#lib/content/gallery.ts";
import { pageIds, pageUrl, seoPages } from "#lib/content/seo.ts";

/** Every page once. No date of change: the site does not know when its words last changed, and a false date is worse than none. */
export default async function sitemap(): Promise<MetadataRoute.Sitemap> {
  await connection();
  const { siteUrl } = config();
  const scenes = gallery.map(({ picture }) => new URL(picture.src, siteUrl).href);
  return pageIds.map((id) => ({
    url: pageUrl(siteUrl, seoPages[id]),
    ...(id === "gallery" && { images: scenes }),
  }));
}
