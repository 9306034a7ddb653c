import type { MetadataRoute } from "next";
import { connection } from "next/server";
import { config } from "#lib/config.ts";

/** The robots.txt checkers of Naver, Google and Daum expect the names of their own crawlers. */
const CRAWLERS = ["Yeti", "Googlebot", "Daumoa", "*"];

export default async function robots(): Promise<MetadataRoute.Robots> {
  await connection();
  const { siteUrl } = config();
  return {
    rules: { userAgent: CRAWLERS, allow: "/", disallow: "/api/" },
    sitemap: `${siteUrl}/sitemap.xml`,
  };
}
