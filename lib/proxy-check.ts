/** Result of comparing TRUSTED_PROXY_HOPS with the requests. The server writes it as a note; findings read the note. */
import { z } from "zod";

const proxyCheck = z.object({
  /** TRUSTED_PROXY_HOPS of the process that compared. */
  configured: z.number(),
  /**
   * The fewest addresses in the X-Forwarded-For of a request that contradicted the setting; the setting where none
   * did.
   */
  seen: z.number(),
  fits: z.boolean(),
});
export type ProxyCheck = z.infer<typeof proxyCheck>;

/** Reads the check from a note; undefined without a note, or for a note about another setting. */
export function parseProxyCheck(value: string | undefined, hops: number): ProxyCheck | undefined {
  try {
    const check = proxyCheck.parse(JSON.parse(value ?? ""));
    return check.configured === hops ? check : undefined;
  } catch {
    return undefined;
  }
}
