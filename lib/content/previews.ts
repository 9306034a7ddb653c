/** The picture that a link to a page shows in KakaoTalk, in a search result, on Facebook. */
import type { PageId } from "#lib/content/seo.ts";

/** As they ask for it. */
export const previewSize = { width: 1200, height: 630 } as const;

/** Where it lies. next.config.ts puts in the version: KakaoTalk keeps what it once loaded from an address. */
export function previewPath(id: PageId): string {
  return `/previews/${id}.jpg?${process.env.PREVIEW_VERSION}`;
}
