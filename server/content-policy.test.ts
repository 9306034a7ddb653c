import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { contentPolicy, hashInlineScripts, securityHeaders } from "#server/content-policy.ts";

const hash = (script: string) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`;

test("each inline script is hashed once", () => {
  const html = `<script>a()</script><script id="_R_">\n b() </script><script>a()</script>
    <script src="/a.js" async=""></script><script type="application/ld+json">{}</script>
    <script type="module">c()</script><script data-src="x" type="text/javascript">d()</script>`;
  expect(hashInlineScripts(html)).toEqual(["a()", "\n b() ", "c()", "d()"].map(hash));
});

test("no policy allows scripts, styles or frames that the site did not write", () => {
  for (const scripts of [[], [hash("a()")]]) {
    expect(contentPolicy(scripts).split("; ").toSorted()).toEqual([
      "base-uri 'none'",
      "default-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "object-src 'none'",
      ["script-src 'self'", ...scripts].join(" "),
    ]);
  }
});

test("only a site with https sends Strict-Transport-Security", () => {
  const hsts = (siteUrl: string) => securityHeaders({ siteUrl })["strict-transport-security"];
  expect(hsts("http://localhost:3000")).toBeUndefined();
  expect(hsts("https://practice.example")).toBe("max-age=31536000");
});
