import { hash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const COMPRESSIBLE_TYPE_PATTERN = /^(text\/|image\/svg|application\/(javascript|xml|(.*\+)?json))/;
/** Bodies of up to this size are not compressed: they fit into one packet as they are. */
const ONE_PACKET_BYTES = 512;

interface Content {
  status?: number;
  /** The names of headers are in lower case. */
  headers: Record<string, string>;
  body: Buffer;
}

const NO_HEADERS: Record<string, string> = {};

/** The response in one encoding. Its headers are a list, because Node would check and copy an object each time. */
interface PreparedResponse {
  shared: Record<string, string>;
  body: Buffer;
  etag: string;
  /** A name, its value, the next name, and so on. */
  headers: string[];
  headersWithLength: string[];
}

export class CachedResponse {
  readonly status: number;
  readonly body: Buffer;
  readonly hash: string;
  readonly #headers: Record<string, string>;
  readonly #isCompressible: boolean;
  readonly #compressed = new Map<Encoding, Promise<Buffer>>();
  readonly #prepared = new Map<Encoding | undefined, PreparedResponse>();

  constructor({ status = 200, headers, body }: Content) {
    this.status = status;
    this.body = body;
    this.hash = hashBody(body);
    this.#isCompressible =
      body.length > ONE_PACKET_BYTES &&
      COMPRESSIBLE_TYPE_PATTERN.test(headers["content-type"] ?? "");
    this.#headers = this.#isCompressible ? { ...headers, vary: "accept-encoding" } : headers;
  }

  async compress(): Promise<void> {
    if (!this.#isCompressible) return;
    for (const encoding of ENCODINGS) await this.#compressWith(encoding);
  }

  /** `shared`: headers that responses have in common. A header of this response replaces the one of the same name. */
  async send(
    request: IncomingMessage,
    response: ServerResponse,
    shared: Record<string, string> = NO_HEADERS,
  ): Promise<void> {
    const encoding = this.#isCompressible
      ? encodingFor(request.headers["accept-encoding"])
      : undefined;
    const known = this.#prepared.get(encoding);
    const prepared = known?.shared === shared ? known : await this.#prepare(encoding, shared);
    const { body, etag, headers, headersWithLength } = prepared;
    const condition = request.headers["if-none-match"];
    if (condition !== undefined && this.status === 200 && matchesTag(condition, etag)) {
      response.writeHead(304, headers).end();
      return;
    }
    response.writeHead(this.status, headersWithLength);
    response.end(request.method === "HEAD" ? undefined : body);
  }

  async #prepare(
    encoding: Encoding | undefined,
    shared: Record<string, string>,
  ): Promise<PreparedResponse> {
    const body = encoding ? await this.#compressWith(encoding) : this.body;
    const etag = encoding ? `"${this.hash}-${encoding}"` : `"${this.hash}"`;
    const headers = Object.entries({
      ...shared,
      ...this.#headers,
      ...(encoding && { "content-encoding": encoding }),
      etag,
    }).flat();
    const headersWithLength = [...headers, "content-length", String(body.length)];
    const prepared = { shared, body, etag, headers, headersWithLength };
    this.#prepared.set(encoding, prepared);
    return prepared;
  }

  #compressWith(encoding: Encoding): Promise<Buffer> {
    const known = this.#compressed.get(encoding);
    if (known) return known;
    const made = COMPRESSORS[encoding](this.body);
    this.#compressed.set(encoding, made);
    made.catch(() => this.#compressed.delete(encoding));
    return made;
  }
}

export function hashBody(body: Buffer | string): string {
  return hash("sha256", body, "base64url").slice(0, 22);
}

/** As a rule, the first encoding has the smallest result. Brotli gets no level, because its default is its highest. */
const COMPRESSORS = {
  br: (body: Buffer) => promisify(brotliCompress)(body),
  gzip: (body: Buffer) => promisify(gzip)(body, { level: constants.Z_BEST_COMPRESSION }),
};
type Encoding = keyof typeof COMPRESSORS;
const ENCODINGS = Object.keys(COMPRESSORS) as Encoding[];

/** The encoding chosen for each Accept-Encoding header, of which browsers send only a few different ones. */
const encodingByHeader = new Map<string, Encoding | undefined>();
const MAX_REMEMBERED = 100;

function encodingFor(accepted = ""): Encoding | undefined {
  if (encodingByHeader.has(accepted)) return encodingByHeader.get(accepted);
  if (encodingByHeader.size >= MAX_REMEMBERED) encodingByHeader.clear();
  const encoding = negotiateEncoding(accepted);
  encodingByHeader.set(accepted, encoding);
  return encoding;
}

/** `q=0` in Accept-Encoding refuses an encoding. */
function negotiateEncoding(accepted: string): Encoding | undefined {
  const listed = accepted.toLowerCase().split(",");
  const acceptable = listed.filter((each) => !/;\s*q=0(\.0*)?\s*$/.test(each));
  const names = acceptable.map((each) => each.split(";", 1)[0]?.trim());
  return ENCODINGS.find((encoding) => names.includes(encoding));
}

/** A proxy that compresses the response itself adds `W/` to the ETag, so `W/` is ignored. */
function matchesTag(condition: string, tag: string): boolean {
  if (condition.trim() === "*") return true;
  return condition.split(",").some((listed) => listed.trim().replace(/^W\//, "") === tag);
}
