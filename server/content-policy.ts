/** The security headers. The policy of a page replaces the general one, and allows the page's inline scripts. */
import { hash } from "node:crypto";
import type { Config } from "#lib/config.ts";

/** The headers of every response that a route or Next makes, except in development. */
export function securityHeaders({ siteUrl }: Pick<Config, "siteUrl">): Record<string, string> {
  return {
    "content-security-policy": DEFAULT_CONTENT_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    ...(siteUrl.startsWith("https:") && {
      "strict-transport-security": "max-age=31536000",
    }),
  };
}

/**
 * `inlineScripts`: `'sha256-…'`, `'nonce-…'`. `pictureHosts`: further sources of pictures. The site's other
 * files are allowed by `default-src`, which is shorter than a directive for each kind.
 */
export function contentPolicy(
  scriptSources: readonly string[] = [],
  pictureHosts: readonly string[] = [],
): string {
  return [
    "default-src 'self'",
    ...(pictureHosts.length > 0 ? [["img-src 'self'", ...pictureHosts].join(" ")] : []),
    ["script-src 'self'", ...scriptSources].join(" "),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** The policy of a response without one of its own. An SVG may have inline styles. */
const DEFAULT_CONTENT_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "frame-ancestors 'none'",
].join("; ");

/** An inline script that browsers run. Script files and JSON-LD need no hash in the policy. */
const INLINE_SCRIPT_PATTERN =
  /<script\b(?![^>]*\s(?:src\s*=|type="application\/ld\+json"))[^>]*>([\s\S]*?)<\/script>/gi;

export function hashInlineScripts(html: string): string[] {
  const scripts = new Set(
    Array.from(html.matchAll(INLINE_SCRIPT_PATTERN), ([, script = ""]) => script),
  );
  return Array.from(scripts, (script) => `'sha256-${hash("sha256", script, "base64")}'`);
}
