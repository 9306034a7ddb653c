import { runInNewContext } from "node:vm";
import { expect, test, vi } from "vitest";
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

/** Runs a page's inline scripts in what stands for a browser, up to its first paint and the end of the page. */
function open(page: string, { hidden = false, data = async () => ({}) as object } = {}) {
  const asked: string[] = [];
  const self: { __next_f?: unknown } = {};
  const boot = vi.fn();
  let painted = () => {};
  let parsed = () => {};
  class PerformanceObserver {
    static supportedEntryTypes = ["paint"];
    constructor(callback: () => void) {
      painted = callback;
    }
    observe() {}
  }
  const context = {
    self,
    boot,
    PerformanceObserver,
    addEventListener: (name: string, listener: () => void) => {
      if (name === "DOMContentLoaded") parsed = listener;
    },
    fetch: (path: string) => {
      asked.push(path);
      return data();
    },
    document: {
      hidden,
      readyState: "loading",
      createElement: () => ({}),
      head: { append: ({ src }: { src: string }) => asked.push(src) },
    },
  };
  for (const [, script = ""] of page.matchAll(/<script>([\s\S]*?)<\/script>/g)) {
    runInNewContext(script, context);
  }
  return { asked, self, boot, paint: () => painted(), parse: () => parsed() };
}

test("no script is fetched by the HTML itself, and none is forgotten after the paint", () => {
  const served = afterPaint(html);
  expect(served.html).not.toMatch(/<script src="[^"]+" async|as="script"/);
  const { asked, paint } = open(served.html);
  expect(asked).toEqual([]);
  paint();
  paint();
  expect(asked).toEqual([served.flight?.path, "/a.js", "/b.js", "/c.js"]);
  expect(open(served.html, { hidden: true }).asked).toEqual(asked);
});

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test("Next boots once the data is there and the page has come to its end", async () => {
  const data = Promise.withResolvers<object>();
  const { self, boot, paint, parse } = open(afterPaint(html).html, { data: () => data.promise });
  paint();
  data.resolve({ ok: true, text: async () => "one $&two" });
  await nextTurn();
  expect(boot).not.toHaveBeenCalled();
  parse();
  await vi.waitFor(() => expect(boot).toHaveBeenCalledTimes(1));
  expect(JSON.parse(JSON.stringify(self.__next_f))).toEqual([[0], [1, "one $&two"]]);
});

test.each([
  ["is refused", async () => ({ ok: false })],
  ["does not come", () => Promise.reject(new Error("no network"))],
])("Next does not boot where the data %s: the page stays as it was sent", async (_, data) => {
  const { self, boot, paint, parse } = open(afterPaint(html).html, { data });
  paint();
  parse();
  await nextTurn();
  expect(boot).not.toHaveBeenCalled();
  expect(self.__next_f).toBe(undefined);
});

test("everything else stays as it was", () => {
  const served = afterPaint(html).html;
  for (const part of [
    `<link rel="stylesheet" href="/a.css"/>`,
    `<link rel="preload" href="/a.woff2" as="font"/>`,
    `<script src="/old.js" noModule=""></script>`,
    `<body><p>차근차근</p><script type="application/ld+json">{"a":1}</script></body></html>`,
  ]) {
    expect(served).toContain(part);
  }
  expect(afterPaint(served)).toEqual({ html: served });
});

test("flight data in a form that is not known stays in the page, which boots as Next means it to", () => {
  const other = html.replace("push([1,", "push([3,");
  const served = afterPaint(other);
  expect(served.flight).toBe(undefined);
  expect(served.html).toContain(`<script id="_R_">boot()</script><script>(self.__next_f=`);
  const { asked, paint } = open(served.html);
  paint();
  expect(asked).toEqual(["/a.js", "/b.js", "/c.js"]);
});

test("a page without scripts is left alone", () => {
  const plain = "<!doctype html><head></head><p>하나";
  expect(afterPaint(plain)).toEqual({ html: plain });
});
