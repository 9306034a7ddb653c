import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { deferScripts } from "#server/defer-scripts.ts";

const html = [
  `<!DOCTYPE html><html><head><link rel="stylesheet" href="/a.css"/>`,
  `<link rel="preload" as="script" fetchPriority="low" href="/turbopack-c.js"/>`,
  `<link rel="preload" href="/a.woff2" as="font"/><link rel="manifest" href="/app.json"/>`,
  `<script src="/a.js" async=""></script><script src="/b.js" async=""></script>`,
  `<script src="/old.js" noModule=""></script></head><body><p>차근차근</p>`,
  `<script id="_R_">self.chunks=["c"]</script><script src="/turbopack-c.js" async=""></script>`,
  `<script>(self.__next_f=self.__next_f||[]).push([0])</script>`,
  String.raw`<script>self.__next_f.push([1,"one $& '\"\\\" \\\\"])</script><script>self.__next_f.push([1,"\u003c/script>"])</script>`,
  `<script type="application/ld+json">{"a":1}</script></body></html>`,
].join("");

type Added = {
  rel?: string;
  href?: string;
  src?: string;
  onload?: () => void;
  onerror?: () => void;
};

/** An event of a page, or the number of milliseconds that pass. */
type Event = "paint" | "frame" | "DOMContentLoaded" | "visibilitychange" | number;

/** Runs the inline scripts of a page in a fake browser. `asked`: the files that these scripts requested. */
function scriptsAfter(
  events: readonly Event[],
  { hidden = false, paintEntries = true, lost = "", losses = 9 } = {},
) {
  const asked: string[] = [];
  const waiting = new Map<Event, () => void>();
  const timers: [callback: () => void, ms: number][] = [];
  let lossesLeft = losses;
  class PerformanceObserver {
    observe: () => void;
    constructor(callback: () => void) {
      this.observe = () => paintEntries && waiting.set("paint", callback);
    }
  }
  const self: { __next_f?: unknown; chunks?: unknown } = {};
  const context = {
    self,
    PerformanceObserver,
    addEventListener: (name: Event, listener: () => void) => waiting.set(name, listener),
    requestAnimationFrame: (callback: () => void) => waiting.set("frame", callback),
    setTimeout: (callback: (...args: unknown[]) => void, ms: number, ...args: unknown[]) =>
      timers.push([() => callback(...args), ms]),
    document: {
      hidden,
      createElement: () => ({}),
      head: {
        append: ({ rel, href = "", src = href, onload, onerror }: Added) => {
          if (rel === "preload") return;
          asked.push(src);
          if (src === lost && lossesLeft-- > 0) onerror?.();
          else onload?.();
        },
      },
    },
  };
  for (const [, script = ""] of deferScripts(html).matchAll(
    /<script(?: id="_R_")?>([\s\S]*?)<\/script>/g,
  ))
    runInNewContext(script, context);
  for (const event of events) {
    if (typeof event !== "number") waiting.get(event)?.();
    else for (const [callback] of timers.splice(0).filter(([, at]) => at <= event)) callback();
  }
  return { asked, self };
}

const SCRIPTS = ["/app.json", "/a.js", "/b.js", "/turbopack-c.js"];

test.for<[events: Event[], browser: Parameters<typeof scriptsAfter>[1], asked: boolean]>([
  [[], {}, false],
  [["paint"], {}, true],
  [["paint", "paint", "DOMContentLoaded", "frame", 60_000], {}, true],
  [["visibilitychange"], {}, true],
  [[], { hidden: true }, true],
  [["DOMContentLoaded", 1_000], {}, false],
  [["DOMContentLoaded", "frame", 1_000], {}, true],
  [["DOMContentLoaded", 5_000], {}, true],
  [["paint", "DOMContentLoaded", 1_000], { paintEntries: false }, false],
  [["DOMContentLoaded", "frame", 1_000], { paintEntries: false }, true],
])("scripts are requested after the events %j (browser %j): %s [60]", ([events, browser, all]) => {
  expect(scriptsAfter(events, browser).asked).toEqual(all ? SCRIPTS : []);
});

test("a page whose script cannot be loaded does not run Turbopack's runtime [39]", () => {
  const { asked } = scriptsAfter(["paint", 2_000, 2_000, 2_000, 2_000], { lost: "/a.js" });
  expect(asked).toEqual(["/app.json", "/a.js", "/b.js", "/a.js", "/a.js", "/a.js"]);
});

test.each(["/a.js", "/turbopack-c.js"])("the lost script %s is requested again", (lost) => {
  const { asked } = scriptsAfter(["paint", 2_000], { lost, losses: 1 });
  expect(asked.filter((src) => src === lost)).toHaveLength(2);
  expect(asked.at(-1)).toBe("/turbopack-c.js");
});

test("the inline scripts with React's data are joined into one", () => {
  const [head, body] = deferScripts(html).split(/<script>\(\(\)=>\{[\s\S]*?<\/script>/);
  expect(head).toBe(
    `<!DOCTYPE html><html><head><link rel="stylesheet" href="/a.css"/><link rel="preload" href="/a.woff2" as="font"/>`,
  );
  expect(body).toMatch(
    /^<\/head><body><p>차근차근<\/p><script id="_R_">self\.chunks=\["c"\];\(self/,
  );
  expect(body?.match(/<script\b/g)).toHaveLength(2);
  expect(body).toMatch(/<script type="application\/ld\+json">\{"a":1\}<\/script><\/body><\/html>$/);
  const { __next_f: data, chunks } = scriptsAfter([]).self;
  expect(JSON.parse(JSON.stringify([chunks, data]))).toEqual([
    ["c"],
    [[0], [1, `one $& '"\\" \\\\`], [1, "</script>"]],
  ]);
});

test("React's data stands in single quotes, so that its double quotes need no escape", () => {
  expect(deferScripts(html)).toContain(String.raw`push([1,'one $& \'"\\" \\\\'])`);
});

test.each([
  `<script>more()</script>`,
  `<script src="/d.js" defer=""></script>`,
  `<SCRIPT>more()</SCRIPT>`,
])("a page with %s stays exactly as Next made it", (other) => {
  for (const page of [html.replace("<p>", () => `${other}<p>`), `<head></head><p>${other}`])
    expect(deferScripts(page)).toBe(page);
});
