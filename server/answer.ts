/** An answer that is kept in memory, with its body in each encoding that browsers take. */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const COMPRESSIBLE = /^(text\/|image\/svg|application\/(javascript|xml|(.*\+)?json))/;
/** Below this, a compressed body saves no packet. */
const SMALL = 512;

/** A body in one encoding, with everything that its header says. */
interface Variant {
  body: Buffer;
  headers: Record<string, string>;
}

interface Content {
  status?: number;
  /** In small letters: the type, how long it may be kept, the policy. */
  headers: Record<string, string>;
  body: Buffer;
}

export class Answer {
  readonly status: number;
  /** Names the body. */
  readonly hash: string;
  readonly #plain: Variant;
  readonly #compressible: boolean;
  readonly #compressed = new Map<Encoding, Promise<Variant>>();

  constructor({ status = 200, headers, body }: Content) {
    this.status = status;
    this.hash = hashOf(body);
    this.#compressible = body.length > SMALL && COMPRESSIBLE.test(headers["content-type"] ?? "");
    const vary = this.#compressible && { vary: "accept-encoding" };
    this.#plain = variant(body, this.hash, { ...headers, ...vary });
  }

  get body(): Buffer {
    return this.#plain.body;
  }

  /** Compresses what is not compressed yet, so that no visitor waits for it. */
  async compress(): Promise<void> {
    if (!this.#compressible) return;
    for (const encoding of ENCODINGS) await this.#compressedTo(encoding);
  }

  /** Answers a GET or HEAD. */
  async send(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const encoding = this.#compressible && preferred(request.headers["accept-encoding"]);
    const { body, headers } = encoding ? await this.#compressedTo(encoding) : this.#plain;
    const condition = request.headers["if-none-match"];
    if (condition !== undefined && this.status === 200 && names(condition, headers.etag)) {
      const { "content-length": _, ...unchanged } = headers;
      response.writeHead(304, unchanged).end();
      return;
    }
    response.writeHead(this.status, headers);
    response.end(request.method === "HEAD" ? undefined : body);
  }

  #compressedTo(encoding: Encoding): Promise<Variant> {
    const known = this.#compressed.get(encoding);
    if (known) return known;
    const { body, headers } = this.#plain;
    const made = COMPRESSORS[encoding](body).then((small) =>
      variant(small, `${this.hash}-${encoding}`, { ...headers, "content-encoding": encoding }),
    );
    this.#compressed.set(encoding, made);
    made.catch(() => this.#compressed.delete(encoding));
    return made;
  }
}

/** Names a body by its content. */
export function hashOf(body: Buffer | string): string {
  return createHash("sha256").update(body).digest("base64url").slice(0, 22);
}

function variant(body: Buffer, tag: string, headers: Record<string, string>): Variant {
  const length = String(body.length);
  return { body, headers: { ...headers, etag: `"${tag}"`, "content-length": length } };
}

/** How a body gets as small as it can in each encoding, the best one first. */
const COMPRESSORS = {
  br: (body: Buffer) => {
    const { BROTLI_PARAM_QUALITY, BROTLI_MAX_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
    const best = { [BROTLI_PARAM_QUALITY]: BROTLI_MAX_QUALITY };
    return promisify(brotliCompress)(body, {
      params: { ...best, [BROTLI_PARAM_SIZE_HINT]: body.length },
    });
  },
  gzip: (body: Buffer) => promisify(gzip)(body, { level: constants.Z_BEST_COMPRESSION }),
};
type Encoding = keyof typeof COMPRESSORS;
const ENCODINGS = Object.keys(COMPRESSORS) as Encoding[];

/** The first of ours that the client takes: one with a quality of 0 it does not. */
function preferred(accepted = ""): Encoding | undefined {
  const listed = accepted.toLowerCase().split(",");
  const taken = listed.filter((each) => !/;\s*q=0(\.0*)?\s*$/.test(each));
  const names = taken.map((each) => each.split(";", 1)[0]?.trim());
  return ENCODINGS.find((encoding) => names.includes(encoding));
}

/** Whether `If-None-Match` names the tag; proxies that compress anew mark it as weak. */
function names(condition: string, tag: string | undefined): boolean {
  if (condition.trim() === "*") return true;
  return condition.split(",").some((listed) => listed.trim().replace(/^W\//, "") === tag);
}
