import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { contentPolicy, inlineScriptHashes, securityHeaders } from "#server/policy.ts";

const hash = (script: string) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`;

test("each inline script is named once, by the hash of its very text", () => {
  const html = `<script>a()</script><script id="_R_">\n b() </script><script>a()</script>`;
  expect(inlineScriptHashes(html)).toEqual([hash("a()"), hash("\n b() ")]);
});

test("files and data blocks are not named", () => {
  const html = `<script src="/a.js" async=""></script><script type="application/ld+json">{}</script>
    <script type="module">c()</script><script data-src="x" type="text/javascript">d()</script>`;
  expect(inlineScriptHashes(html)).toEqual([hash("c()"), hash("d()")]);
});

test("no policy allows scripts, styles or frames that the site did not write", () => {
  for (const policy of [contentPolicy(), contentPolicy([hash("a()")])]) {
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    for (const rule of [
      "default-src 'self'",
      "style-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ]) {
      expect(policy.split("; ")).toContain(rule);
    }
  }
  expect(contentPolicy([hash("a()")])).toContain(`script-src 'self' ${hash("a()")};`);
});

test("only a site with https insists on https, and on that of its subdomains only where it is told to", () => {
  const hsts = (siteUrl: string, hstsSubdomains = false) =>
    securityHeaders({ siteUrl, hstsSubdomains })["strict-transport-security"];
  expect(hsts("http://localhost:3000", true)).toBeUndefined();
  expect(hsts("https://practice.example")).toBe("max-age=31536000");
  expect(hsts("https://practice.example", true)).toBe("max-age=31536000; includeSubDomains");
});
