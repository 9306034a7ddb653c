import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { Metadata } from "next";
import { previewSize, resolvePreviewPage } from "#components/preview/pictures.tsx";
import { normalisePhone } from "#lib/application/phone.ts";
import { config } from "#lib/config.ts";
import { business } from "#lib/content/business.ts";
import { type PageId, pages, pageUrl } from "#lib/content/pages.ts";
import { structuredData } from "#lib/content/structured-data.ts";
import { plainText } from "#lib/content/text-notation.ts";
import { instructorPicture } from "#lib/instructor-photo.ts";

/** The address has a hash of the picture, because KakaoTalk never loads the same address again. */
function previewUrl(id: PageId): string {
  const address = `/previews/${resolvePreviewPage(id)}.jpg`;
  const drawn = `.next/server/app${address}.body`;
  // Only a build draws the picture, so development has no picture.
  const picture = existsSync(/* turbopackIgnore: true */ drawn) ? readFileSync(drawn) : "";
  const version = createHash("sha256").update(picture).digest("hex").slice(0, 12);
  return `${config().siteUrl}${address}?${version}`;
}

export function pageMetadata(id: PageId): Metadata {
  const { title, description } = pages[id];
  const url = pageUrl(config().siteUrl, pages[id]);
  const alt = `${plainText(pages[resolvePreviewPage(id)].headline)}, ${business.name}`;
  const image = { url: previewUrl(id), alt };
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
      images: [{ ...image, ...previewSize, type: "image/jpeg" }],
    },
    // Next takes the title and the description of the card from `openGraph`.
    twitter: { card: "summary_large_image", images: [image] },
  };
}

/** JSON-LD for search engines. */
export function PageStructuredData({ page }: { page: PageId }) {
  const configured = config();
  const telephone = normalisePhone(configured.inquiryPhone) ?? configured.inquiryPhone;
  const picture = instructorPicture(configured);
  const graph = structuredData(page, {
    ...configured,
    telephone,
    image: previewUrl("home"),
    instructorImage: picture && configured.siteUrl + picture.src,
  });
  // An escaped `<` cannot end the script element.
  const json = JSON.stringify(graph).replace(/</g, "\\u003c");
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />;
}
