/** The result of comparing TRUSTED_PROXY_HOPS with the requests: the server notes it, the findings are made of it. */
import { z } from "zod";

const proxyCheck = z.object({
  /** TRUSTED_PROXY_HOPS of the process that looked. */
  configured: z.number(),
  /** The number of addresses in X-Forwarded-For, of the shortest chain that did not fit. */
  seen: z.number(),
  fits: z.boolean(),
});
export type ProxyCheck = z.infer<typeof proxyCheck>;

/** The check in a note; undefined where there is none, or one of another setting. */
export function parseProxyCheck(value: string | undefined, hops: number): ProxyCheck | undefined {
  try {
    const check = proxyCheck.parse(JSON.parse(value ?? ""));
    return check.configured === hops ? check : undefined;
  } catch {
    return undefined;
  }
}
