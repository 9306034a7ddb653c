/** What the headers tell of the sender: which site a browser was on, and the key that it gave. */

/**
 * Whether a browser sent this from another site's page. Browsers do not let a page forge these
 * headers; what is no browser sends none of them and is let in. X-Forwarded-Host counts for nothing.
 */
export function isCrossSite(headers: Headers, siteUrl: string): boolean {
  const site = headers.get("sec-fetch-site");
  if (site === "cross-site") return true;
  if (site === "same-origin" || site === "none") return false;
  const origin = headers.get("origin");
  if (origin === null) return false;
  if (!URL.canParse(origin)) return true;
  const { host, protocol } = new URL(origin);
  // A proxy may hand on another Host than the one in the address bar: that one is SITE_URL's.
  const own = [hostOf(`${protocol}//${headers.get("host") ?? ""}`), hostOf(siteUrl)];
  return !own.includes(host);
}

/** The host with its port, unless that is the protocol's own. */
function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined;
}

type KeyHeader = { ok: true; idempotencyKey: string | undefined } | { ok: false };

/** The Idempotency-Key header: absent, 1 to 255 printable ASCII characters, or wrong. */
export function keyIn(headers: Headers): KeyHeader {
  const key = headers.get("idempotency-key");
  if (key === null) return { ok: true, idempotencyKey: undefined };
  return /^[\x20-\x7e]{1,255}$/.test(key) ? { ok: true, idempotencyKey: key } : { ok: false };
}
