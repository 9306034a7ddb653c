import type { Metadata } from "next";
import { normalisePhone } from "#lib/application/phone.ts";
import { config } from "#lib/config.ts";
import { business } from "#lib/content/business.ts";
import { plainCopy } from "#lib/content/copy.ts";
import { openGraphImageSize, openGraphImages } from "#lib/content/open-graph-images.ts";
import { type PageId, pageUrl, seoPages } from "#lib/content/seo.ts";
import { structuredData } from "#lib/content/structured-data.ts";

/** All that a page's head says about it: title, description, one address, and what a shared link shows. */
export function pageMetadata(id: PageId): Metadata {
  const { siteUrl } = config();
  const page = seoPages[id];
  const { title, description } = page;
  const url = pageUrl(siteUrl, page);
  const image = {
    url: siteUrl + openGraphImages[id].file,
    ...openGraphImageSize,
    type: "image/jpeg",
    alt: `${plainCopy(page.headline)}, ${business.name}`,
  };
  return {
    title: { absolute: title },
    description,
    alternates: { canonical: url },
    openGraph: {
      type: "website",
      locale: "ko_KR",
      siteName: business.name,
      url,
      title,
      description,
      images: [image],
    },
    twitter: { card: "summary_large_image", title, description, images: [image] },
  };
}

/** What the page tells search engines as structured data: JSON-LD, which no browser runs. */
export function PageStructuredData({ page }: { page: PageId }) {
  const configured = config();
  const telephone = normalisePhone(configured.inquiryPhone) ?? configured.inquiryPhone;
  const graph = structuredData(page, { ...configured, telephone });
  // Escaped, so that no text in it can end the script.
  const json = JSON.stringify(graph).replace(/</g, "\\u003c");
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />;
}
