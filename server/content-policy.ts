/**
 * The security headers of every response. The policy of a cached page allows its inline scripts by their hashes. A page
 * that Next renders for one visitor has a nonce, which Next writes into its scripts.
 */
import { createHash } from "node:crypto";
import type { Config } from "#lib/config.ts";

/** HSTS is only for a site with https. */
export function securityHeaders({
  siteUrl,
  hstsSubdomains,
}: Pick<Config, "siteUrl" | "hstsSubdomains">): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    ...(siteUrl.startsWith("https:") && {
      "strict-transport-security": `max-age=31536000${hstsSubdomains ? "; includeSubDomains" : ""}`,
    }),
  };
}

/**
 * The policy of a page that allows these inline scripts: `'sha256-…'`, `'nonce-…'`. `default-src` covers pictures,
 * fonts, requests, the manifest and workers, and saves 100 bytes per response.
 */
export function contentPolicy(inlineScripts: readonly string[] = []): string {
  return [
    "default-src 'self'",
    ["script-src 'self'", ...inlineScripts].join(" "),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** The policy of a file that is opened as a page. An SVG runs no script, but may have inline styles. */
export const FILE_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "frame-ancestors 'none'",
].join("; ");

/** Script files and data blocks (JSON-LD) need no permission. */
const INLINE_SCRIPT =
  /<script\b(?![^>]*\s(?:src\s*=|type="application\/ld\+json"))[^>]*>([\s\S]*?)<\/script>/gi;

export function hashInlineScripts(html: string): string[] {
  const hashes = [...html.matchAll(INLINE_SCRIPT)].map(([, script = ""]) =>
    createHash("sha256").update(script).digest("base64"),
  );
  return [...new Set(hashes)].map((hash) => `'sha256-${hash}'`);
}
