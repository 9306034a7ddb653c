import { expect, test } from "vitest";
import { afterPaint } from "#server/after-paint.ts";

const html = [
  `<!DOCTYPE html><html><head><link rel="stylesheet" href="/a.css"/>`,
  `<link rel="preload" as="script" fetchPriority="low" href="/c.js"/>`,
  `<link rel="preload" href="/a.woff2" as="font"/>`,
  `<script src="/a.js" async=""></script><script src="/b.js" async=""></script>`,
  `<script src="/old.js" noModule=""></script></head><body><p>차근차근</p>`,
  `<script id="_R_">boot()</script><script src="/c.js" async=""></script>`,
  `<script>(self.__next_f=self.__next_f||[]).push([0])</script>`,
  `<script>self.__next_f.push([1,"one $&"])</script><script>self.__next_f.push([1,"two"])</script>`,
  `<script type="application/ld+json">{"a":1}</script></body></html>`,
].join("");

test("no script is fetched by the HTML itself, and none is forgotten", () => {
  const served = afterPaint(html);
  expect(served).not.toMatch(/<script src="[^"]+" async|as="script"/);
  const [, sources = "[]"] = /let sources=(\[.*?\]);/.exec(served) ?? [];
  expect(JSON.parse(sources)).toEqual(["/a.js", "/b.js", "/c.js"]);
});

test("everything else stays as it was", () => {
  const served = afterPaint(html);
  for (const part of [
    `<link rel="stylesheet" href="/a.css"/>`,
    `<link rel="preload" href="/a.woff2" as="font"/>`,
    `<script src="/old.js" noModule=""></script>`,
    `<body><p>차근차근</p><script id="_R_">boot();(self.__next_f=`,
    `<script type="application/ld+json">{"a":1}</script></body></html>`,
  ]) {
    expect(served).toContain(part);
  }
  expect(afterPaint(served)).toBe(served);
});

test("a page without scripts is left alone", () => {
  const plain = "<!doctype html><head></head><p>하나";
  expect(afterPaint(plain)).toBe(plain);
});
