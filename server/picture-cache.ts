/**
 * Caches the pictures of the image optimizer for the addresses that the pages name. One picture is resized at a time,
 * because decoding a photo takes a second of one processor and 100 MB of memory.
 */
import { CachedResponse } from "#server/cached-response.ts";
import { renderWithNext } from "#server/render-with-next.ts";
import type { RequestHandler } from "#server/request-handler.ts";

export const OPTIMIZER_PATH = "/_next/image";
const PICTURE_ADDRESS = /\/_next\/image\?url=[\w.%~!*()-]+&w=\d+&q=\d+/g;
/** Limit of cached pictures. The widest picture has half a megabyte. */
const MOST_PICTURES = 64;

export class PictureCache {
  readonly #next: RequestHandler;
  #allowed = new Set<string>();
  /** Finished and unfinished pictures, the oldest first. */
  readonly #pictures = new Map<string, Promise<CachedResponse>>();
  #lastMade: Promise<unknown> = Promise.resolve();

  constructor(next: RequestHandler) {
    this.#next = next;
  }

  allowPicturesOf(pages: Iterable<CachedResponse>): void {
    // HTML tags and React's data escape the `&` of an address differently.
    const texts = [...pages].map(({ body }) => body.toString().replaceAll(/&amp;|\\u0026/g, "&"));
    this.#allowed = new Set(texts.flatMap((text) => text.match(PICTURE_ADDRESS) ?? []));
  }

  /** Undefined for an address that no page names. */
  find(address: string): RequestHandler | undefined {
    if (!this.#allowed.has(address)) return undefined;
    return async (request, response) => {
      const picture = await (this.#pictures.get(address) ?? this.#makeInTurn(address));
      await picture.send(request, response);
    };
  }

  #makeInTurn(address: string): Promise<CachedResponse> {
    const picture = this.#lastMade.then(() => this.#make(address));
    this.#pictures.set(address, picture);
    const forget = () => this.#pictures.delete(address);
    this.#lastMade = picture.then(({ status }) => status === 200 || forget(), forget);
    const [oldest = ""] = this.#pictures.keys();
    if (this.#pictures.size > MOST_PICTURES) this.#pictures.delete(oldest);
    return picture;
  }

  /** Every supported browser accepts WebP. */
  async #make(address: string): Promise<CachedResponse> {
    // Frees the buffers of the previous photo, which V8 would collect only at 64 MB.
    globalThis.gc?.();
    const { status, headers, body } = await renderWithNext(this.#next, address, {
      accept: "image/webp",
    });
    const maxAge = status === 200 && headers.get("cache-control");
    return new CachedResponse({
      status,
      body,
      headers: {
        "content-type": headers.get("content-type") ?? "text/plain",
        "cache-control": maxAge || "no-store",
      },
    });
  }
}
