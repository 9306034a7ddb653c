import type { MetadataRoute } from "next";
import { config } from "#lib/config.ts";

/** Naver, Google and Daum are named: their own checking tools look for a group of theirs. */
const CRAWLERS = ["Yeti", "Googlebot", "Daumoa", "*"];

export default function robots(): MetadataRoute.Robots {
  const { siteUrl } = config();
  return {
    rules: { userAgent: CRAWLERS, allow: "/", disallow: "/api/" },
    sitemap: `${siteUrl}/sitemap.xml`,
  };
}
