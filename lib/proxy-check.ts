/** The server compares TRUSTED_PROXY_HOPS with the requests, and stores the result as a note. */
import { z } from "zod";

const proxyCheck = z.object({
  configured: z.number(),
  /** The fewest X-Forwarded-For entries of a request that does not fit; `configured` if every request fits. */
  seen: z.number(),
  fits: z.boolean(),
});
export type ProxyCheck = z.infer<typeof proxyCheck>;

/** Undefined if the note is about another value of the setting. */
export function parseProxyCheck(value: string | undefined, hops: number): ProxyCheck | undefined {
  try {
    const check = proxyCheck.parse(JSON.parse(value ?? ""));
    return check.configured === hops ? check : undefined;
  } catch {
    return undefined;
  }
}
