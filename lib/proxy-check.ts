/** The server compares TRUSTED_PROXY_HOPS with the requests, and stores the result as a note. */
export interface ProxyCheck {
  configured: number;
  /** The fewest X-Forwarded-For entries of a request that does not fit; `configured` if every request fits. */
  seen: number;
  fits: boolean;
}

/** Undefined if there is no note, or if the note is about another value of the setting. */
export function parseProxyCheck(note: string | undefined, hops: number): ProxyCheck | undefined {
  const check: ProxyCheck | null = JSON.parse(note ?? "null");
  return check?.configured === hops ? check : undefined;
}
