export interface BodyLimits {
  maxBytes: number;
  /** From the start of reading to the last byte. */
  timeLimitMs: number;
}

export type Body = { ok: true; bytes: Uint8Array } | { ok: false; fault: BodyFault };

/** `broken`: the connection ended before the body did. */
export type BodyFault = "too-large" | "too-slow" | "broken";

/** Reads a request's body, and stops as soon as it is larger or slower than allowed. Never throws. */
export async function readBody(
  request: Request,
  { maxBytes, timeLimitMs }: BodyLimits,
): Promise<Body> {
  if (Number(request.headers.get("content-length")) > maxBytes) return fault("too-large");
  if (request.body === null) return { ok: true, bytes: new Uint8Array() };

  const reader = request.body.getReader();
  const timer = Promise.withResolvers<"too-slow">();
  const timeout = setTimeout(() => timer.resolve("too-slow"), timeLimitMs);
  const outcome = await Promise.race([collect(reader, maxBytes), timer.promise]);
  clearTimeout(timeout);
  if (typeof outcome !== "string") return { ok: true, bytes: outcome };

  // Whether the rest can be cancelled makes no difference to the answer; it may never settle.
  reader.cancel().catch(() => undefined);
  return fault(outcome);
}

async function collect(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array | "too-large" | "broken"> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return Buffer.concat(chunks);
      length += value.byteLength;
      if (length > maxBytes) return "too-large";
      chunks.push(value);
    }
  } catch {
    return "broken";
  }
}

const fault = (kind: BodyFault): Body => ({ ok: false, fault: kind });
