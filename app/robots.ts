import type { MetadataRoute } from "next";
import { connection } from "next/server";
import { config } from "#lib/config.ts";

/** The checking tools of Naver, Google and Daum look for a group with their own crawler's name. */
const CRAWLERS = ["Yeti", "Googlebot", "Daumoa", "*"];

export default async function robots(): Promise<MetadataRoute.Robots> {
  await connection();
  const { siteUrl } = config();
  return {
    rules: { userAgent: CRAWLERS, allow: "/", disallow: "/api/" },
    sitemap: `${siteUrl}/sitemap.xml`,
  };
}
