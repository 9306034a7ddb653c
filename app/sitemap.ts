import type { MetadataRoute } from "next";
import { config } from "#lib/config.ts";
import { gallery } from "#lib/content/gallery.ts";
import { pageIds, pageUrl, seoPages } from "#lib/content/seo.ts";

/** Every page once. No date of change: the site does not know when its words last changed, and a false date is worse than none. */
export default function sitemap(): MetadataRoute.Sitemap {
  const { siteUrl } = config();
  const scenes = gallery.map(({ picture }) => new URL(picture.src, siteUrl).href);
  return pageIds.map((id) => ({
    url: pageUrl(siteUrl, seoPages[id]),
    ...(id === "gallery" && { images: scenes }),
  }));
}
