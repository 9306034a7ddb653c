import type { MetadataRoute } from "next";
import { connection } from "next/server";
import { config } from "#lib/config.ts";

export default async function robots(): Promise<MetadataRoute.Robots> {
  await connection();
  const { siteUrl } = config();
  return {
    // The robots.txt checkers of Naver, Google and Daum expect the names of their own crawlers.
    rules: { userAgent: ["Yeti", "Googlebot", "Daumoa", "*"], allow: "/", disallow: "/api/" },
    sitemap: `${siteUrl}/sitemap.xml`,
  };
}
