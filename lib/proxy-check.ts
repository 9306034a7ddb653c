/**
 * The comparison of TRUSTED_PROXY_HOPS with the requests. The server stores it as a note, from which findings are made.
 */
import { z } from "zod";

const proxyCheck = z.object({
  configured: z.number(),
  /** The fewest X-Forwarded-For entries of a contradicting request; equal to `configured` if all requests fit. */
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
