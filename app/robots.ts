import type { MetadataRoute } from "next";
import { connection } from "next/server";
import { config } from "#lib/config.ts";

/** Naver, Google and Daum are named, because their checking tools look for a group with their name. */
const CRAWLERS = ["Yeti", "Googlebot", "Daumoa", "*"];

export default async function robots(): Promise<MetadataRoute.Robots> {
  await connection();
  const { siteUrl } = config();
  return {
    rules: { userAgent: CRAWLERS, allow: "/", disallow: "/api/" },
    sitemap: `${siteUrl}/sitemap.xml`,
  };
}
