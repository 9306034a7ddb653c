/** One answer that is kept in memory: a page or a file, compressed once. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { compressed, ENCODINGS, type Encoding, hashOf } from "#server/compress.ts";

const COMPRESSIBLE = /^(text\/|image\/svg|application\/(json|javascript|manifest|xml|.*\+json))/;
/** Below this, a compressed body saves no packet. */
const SMALL = 512;

/** A body in one encoding, with everything that its header says. */
interface Variant {
  body: Buffer;
  tag: string;
  headers: Record<string, string>;
}

export interface StaticAnswer {
  status: number;
  /** In small letters: the type, how long it may be kept, the policy. */
  headers: Record<string, string>;
  body: Buffer;
  /** The site's folder: what its build has compressed is read from there. */
  folder: string;
}

export class StaticCopy {
  readonly status: number;
  /** Tells whether another copy says the same. */
  readonly hash: string;
  readonly #folder: string;
  readonly #plain: Variant;
  readonly #compressible: boolean;
  readonly #compressed = new Map<Encoding, Variant | Promise<Variant>>();

  constructor({ status, headers, body, folder }: StaticAnswer) {
    this.status = status;
    this.hash = hashOf(body);
    this.#folder = folder;
    this.#compressible = body.length > SMALL && COMPRESSIBLE.test(headers["content-type"] ?? "");
    const vary = [headers.vary, this.#compressible && "accept-encoding"].filter(Boolean).join(", ");
    this.#plain = this.#variant(body, `"${this.hash}"`, { ...headers, ...(vary && { vary }) });
  }

  /** Compresses what is not compressed yet, so that no visitor waits for it. */
  async compress(): Promise<void> {
    if (!this.#compressible) return;
    for (const encoding of ENCODINGS) await this.#compressedTo(encoding);
  }

  /** Answers a GET or HEAD. */
  async send(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const part = this.#partFor(request);
    if (part) return this.#sendPart(part, response);
    const encoding = this.#compressible && preferred(request.headers["accept-encoding"]);
    const found = encoding ? this.#compressedTo(encoding) : this.#plain;
    const variant = found instanceof Promise ? await found : found;
    const condition = request.headers["if-none-match"];
    if (condition !== undefined && this.status === 200 && names(condition, variant.tag)) {
      const { "content-length": _, ...headers } = variant.headers;
      response.writeHead(304, headers).end();
      return;
    }
    response.writeHead(this.status, variant.headers);
    response.end(request.method === "HEAD" ? undefined : variant.body);
  }

  /** The part that a GET asks for; undefined where the whole is sent. */
  #partFor({ method, headers }: IncomingMessage): Part | undefined {
    const changed = (headers["if-range"] ?? this.#plain.tag) !== this.#plain.tag;
    if (method !== "GET" || this.status !== 200 || changed) return undefined;
    return partOf(this.#plain.body.length, headers.range);
  }

  #sendPart({ start, end }: Part, response: ServerResponse): void {
    const { body, headers } = this.#plain;
    if (start >= end) {
      response.writeHead(416, { "content-range": `bytes */${body.length}` }).end();
      return;
    }
    response.writeHead(206, {
      ...headers,
      "content-length": String(end - start),
      "content-range": `bytes ${start}-${end - 1}/${body.length}`,
    });
    response.end(body.subarray(start, end));
  }

  #compressedTo(encoding: Encoding): Variant | Promise<Variant> {
    const known = this.#compressed.get(encoding);
    if (known) return known;
    const made = compressed(this.#folder, this.#plain.body, encoding).then((body) => {
      const variant = this.#variant(body, `"${this.hash}-${encoding}"`, {
        ...this.#plain.headers,
        "content-encoding": encoding,
      });
      this.#compressed.set(encoding, variant);
      return variant;
    });
    this.#compressed.set(encoding, made);
    made.catch(() => this.#compressed.delete(encoding));
    return made;
  }

  #variant(body: Buffer, tag: string, headers: Record<string, string>): Variant {
    const length = String(body.length);
    return { body, tag, headers: { ...headers, etag: tag, "content-length": length } };
  }
}

/** From one byte up to, but not including, another; empty where it lies beyond the end. */
interface Part {
  start: number;
  end: number;
}

/**
 * `bytes=10-99`, `bytes=10-`, `bytes=-99` (the last 99). A header with several parts, or with nonsense, is
 * passed over (RFC 9110, 14.2).
 */
function partOf(length: number, range = ""): Part | undefined {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  if (first === "" && last === "") return undefined;
  if (first === "") return { start: Math.max(0, length - Number(last)), end: length };
  if (last !== "" && Number(last) < Number(first)) return undefined;
  return {
    start: Number(first),
    end: last === "" ? length : Math.min(length, Number(last) + 1),
  };
}

const ACCEPTS: [Encoding, RegExp][] = [
  ["br", /(^|,)\s*br\s*(?!\s*;\s*q=0(\.0*)?\s*(,|$))(;|,|$)/i],
  ["gzip", /(^|,)\s*gzip\s*(?!\s*;\s*q=0(\.0*)?\s*(,|$))(;|,|$)/i],
];

function preferred(accepted = ""): Encoding | undefined {
  return ACCEPTS.find(([, pattern]) => pattern.test(accepted))?.[0];
}

/** Whether `If-None-Match` names the tag; proxies that compress anew mark it as weak. */
function names(condition: string, tag: string): boolean {
  if (condition.trim() === "*") return true;
  return condition.split(",").some((listed) => listed.trim().replace(/^W\//, "") === tag);
}
