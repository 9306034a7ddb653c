/** Reads headers that no page can forge. A client that sends none of them is no browser, and is accepted. */
export function isCrossSite(headers: Headers, siteUrl: string): boolean {
  const site = headers.get("sec-fetch-site");
  if (site === "cross-site") return true;
  if (site === "same-origin" || site === "none") return false;
  const origin = headers.get("origin");
  if (origin === null) return false;
  if (!URL.canParse(origin)) return true;
  const { host, protocol } = new URL(origin);
  // A proxy may change the Host header, so the host of SITE_URL counts too.
  const own = [hostOf(`${protocol}//${headers.get("host") ?? ""}`), hostOf(siteUrl)];
  return !own.includes(host);
}

/** The host with its port; a default port is left out. */
const hostOf = (url: string) => URL.parse(url)?.host;

/** Undefined if the key is not 1 to 255 printable ASCII characters. */
export function parseIdempotencyKey(headers: Headers) {
  const idempotencyKey = headers.get("idempotency-key") ?? undefined;
  const isSound = idempotencyKey === undefined || /^[\x20-\x7e]{1,255}$/.test(idempotencyKey);
  return isSound ? { idempotencyKey } : undefined;
}
