/**
 * The image optimizer, for the pictures that the pages name, in the sizes that they name. To decode a photo takes
 * a processor for a second and 100 MB: one is made at a time, each once, whoever asks.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Answer } from "#server/answer.ts";
import { ask } from "#server/ask-next.ts";
import { FILE_POLICY } from "#server/policy.ts";
import type { RequestHandler } from "#server/request-handler.ts";

export const OPTIMIZER = "/_next/image";
const ADDRESS = /\/_next\/image\?url=[\w.%~!*()-]+&w=\d+&q=\d+/g;
/** The pictures that were made last stay in memory, up to this many bytes. */
const KEPT_BYTES = 32_000_000;

/** The addresses of pictures in a page, in its tags and in React's data. */
function picturesIn(html: string): string[] {
  return html.replaceAll(/&amp;|\\u0026/g, "&").match(ADDRESS) ?? [];
}

export class Pictures {
  readonly #next: RequestHandler;
  readonly #headers: Record<string, string>;
  #named = new Set<string>();
  /** The oldest first. */
  readonly #made = new Map<string, Answer>();
  readonly #underWay = new Map<string, Promise<Answer>>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(next: RequestHandler, headers: Record<string, string>) {
    this.#next = next;
    this.#headers = headers;
  }

  /** From now on the pictures of these pages are made, and no others. */
  allowThoseOf(pages: Iterable<Answer>): void {
    this.#named = new Set([...pages].flatMap(({ body }) => picturesIn(body.toString())));
  }

  /** Answers where a page names the address; says whether it did. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const address = request.url ?? "";
    if (!this.#named.has(address)) return false;
    const picture = this.#made.get(address) ?? (await this.#make(address));
    await picture.send(request, response);
    return true;
  }

  #make(address: string): Promise<Answer> {
    const known = this.#underWay.get(address);
    if (known) return known;
    const turn = this.#last.then(() => this.#ask(address));
    this.#underWay.set(address, turn);
    this.#last = turn.catch(() => undefined).finally(() => this.#underWay.delete(address));
    return turn;
  }

  /** Every browser that this site is made for takes WebP. */
  async #ask(address: string): Promise<Answer> {
    const { status, headers, body } = await ask(this.#next, address, { accept: "image/webp" });
    const kept = status === 200 && headers["cache-control"];
    const answer = new Answer({
      status,
      body,
      headers: {
        ...this.#headers,
        "content-security-policy": FILE_POLICY,
        "content-type": headers["content-type"] ?? "text/plain",
        "cache-control": kept || "no-store",
      },
    });
    if (kept) this.#keep(address, answer);
    return answer;
  }

  #keep(address: string, picture: Answer): void {
    this.#made.set(address, picture);
    let bytes = [...this.#made.values()].reduce((sum, { body }) => sum + body.length, 0);
    for (const [oldest, { body }] of this.#made) {
      if (bytes <= KEPT_BYTES) return;
      this.#made.delete(oldest);
      bytes -= body.length;
    }
  }
}
