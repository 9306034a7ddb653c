import { runInNewContext } from "node:vm";
import { expect, test, vi } from "vitest";
import { afterPaint } from "#server/after-paint.ts";

const html = [
  `<!DOCTYPE html><html><head><link rel="stylesheet" href="/a.css"/>`,
  `<link rel="preload" as="script" fetchPriority="low" href="/turbopack-c.js"/>`,
  `<link rel="preload" href="/a.woff2" as="font"/>`,
  `<script src="/a.js" async=""></script><script src="/b.js" async=""></script>`,
  `<script src="/old.js" noModule=""></script></head><body><p>차근차근</p>`,
  `<script id="_R_">boot()</script><script src="/turbopack-c.js" async=""></script>`,
  `<script>(self.__next_f=self.__next_f||[]).push([0])</script>`,
  String.raw`<script>self.__next_f.push([1,"one $& \"\\"])</script><script>self.__next_f.push([1,"\u003c/script>"])</script>`,
  `<script type="application/ld+json">{"a":1}</script></body></html>`,
].join("");

interface Browser {
  hidden?: boolean;
  /** What the browser says of its paints; undefined: it knows no PerformanceObserver. */
  paintEntries?: "some" | "never" | "unsupported" | undefined;
  /** A script that does not come. */
  lost?: string;
}

interface Added {
  name: string;
  src: string;
  onload?: () => void;
}

/** Runs a page's inline scripts in what stands for a browser. */
function open(page: string, { hidden = false, paintEntries = "some", lost }: Browser = {}) {
  const asked: string[] = [];
  const listeners = new Map<string, () => void>();
  const timers: [callback: () => void, ms: number][] = [];
  const frames: (() => void)[] = [];
  const self: { __next_f?: unknown } = {};
  let painted = () => {};
  class PerformanceObserver {
    static supportedEntryTypes = paintEntries === "unsupported" ? [] : ["paint"];
    constructor(callback: () => void) {
      if (paintEntries === "some") painted = callback;
    }
    observe() {}
  }
  const context = {
    self,
    boot: vi.fn(),
    ...(paintEntries && { PerformanceObserver }),
    addEventListener: (name: string, listener: () => void) => listeners.set(name, listener),
    requestAnimationFrame: (callback: () => void) => frames.push(callback),
    setTimeout: (callback: () => void, ms: number) => timers.push([callback, ms]),
    document: {
      hidden,
      createElement: (name: string) => ({ name }),
      head: {
        append: ({ name, src, onload }: Added) => {
          if (name !== "script") return;
          asked.push(src);
          if (src !== lost) onload?.();
        },
      },
    },
  };
  for (const [, script = ""] of page.matchAll(/<script>([\s\S]*?)<\/script>/g)) {
    runInNewContext(script, context);
  }
  return {
    asked,
    self,
    boot: context.boot,
    paint: () => painted(),
    fire: (event: string) => listeners.get(event)?.(),
    /** Draws the frame that was asked for, if any. */
    draw: () => frames.splice(0).forEach((callback) => void callback()),
    /** Lets this much time go by. */
    pass: (ms: number) =>
      timers.filter(([, at]) => at <= ms).forEach(([callback]) => void callback()),
  };
}

const SCRIPTS = ["/a.js", "/b.js", "/turbopack-c.js"];

test("no script is fetched by the HTML itself, and none is forgotten after the paint", () => {
  const served = afterPaint(html);
  expect(served).not.toMatch(/<script src="[^"]+" async|as="script"/);
  const { asked, paint, fire, draw, pass } = open(served);
  expect(asked).toEqual([]);
  paint();
  expect(asked).toEqual(SCRIPTS);
  paint();
  fire("DOMContentLoaded");
  draw();
  pass(60_000);
  expect(asked).toEqual(SCRIPTS);
});

test("a page of whose scripts one is missing does not begin with the others", () => {
  const { asked } = open(afterPaint(html), { hidden: true, lost: "/a.js" });
  expect(asked).toEqual(["/a.js", "/b.js"]);
});

test("a page that nobody sees is not painted: its scripts do not wait", () => {
  expect(open(afterPaint(html), { hidden: true }).asked).toEqual(SCRIPTS);
  const { asked, fire } = open(afterPaint(html));
  fire("visibilitychange");
  expect(asked).toEqual(SCRIPTS);
});

test.each(["never", "unsupported", undefined] as const)(
  "where paint entries are '%s', the scripts start after the first frame, and without one all the same",
  (paintEntries) => {
    const drawn = open(afterPaint(html), { paintEntries });
    drawn.fire("DOMContentLoaded");
    drawn.pass(1_000);
    expect(drawn.asked).toEqual([]);
    drawn.draw();
    drawn.pass(1_000);
    expect(drawn.asked).toEqual(SCRIPTS);

    const undrawn = open(afterPaint(html), { paintEntries });
    undrawn.fire("DOMContentLoaded");
    undrawn.pass(5_000);
    expect(undrawn.asked).toEqual(SCRIPTS);
  },
);

test("the data stays in the page, every piece of it, in one script", () => {
  const served = afterPaint(html);
  expect(served.match(/<script>/g)).toHaveLength(2);
  expect(JSON.parse(JSON.stringify(open(served).self.__next_f))).toEqual([
    [0],
    [1, 'one $& "\\'],
    [1, "</script>"],
  ]);
});

test("everything else stays as it was", () => {
  const served = afterPaint(html);
  for (const part of [
    `<link rel="stylesheet" href="/a.css"/>`,
    `<link rel="preload" href="/a.woff2" as="font"/>`,
    `<script src="/old.js" noModule=""></script>`,
    `<body><p>차근차근</p><script id="_R_">boot()</script>`,
    `<script type="application/ld+json">{"a":1}</script></body></html>`,
  ]) {
    expect(served).toContain(part);
  }
});

test.each([
  `<script>more()</script>`,
  `<script src="/d.js" defer=""></script>`,
  `<script src="/d.js" async="" crossorigin=""></script>`,
  `<script async="" src="/d.js"></script>`,
  `<script type="module" src="/d.js"></script>`,
  `<SCRIPT>more()</SCRIPT>`,
])("a page with %s stays exactly as Next made it", (other) => {
  const page = html.replace("<p>", () => `${other}<p>`);
  expect(afterPaint(page)).toBe(page);
});

test("a page without scripts is left alone", () => {
  const plain = "<!doctype html><head></head><p>하나";
  expect(afterPaint(plain)).toBe(plain);
});
