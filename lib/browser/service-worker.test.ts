import { IDBFactory } from "fake-indexeddb";
import { beforeEach, expect, it, vi } from "vitest";
import { filledInValues, receipt } from "#testing/fixtures/browser-application.ts";

interface Event {
  request?: Request;
  tag?: string | undefined;
  waitUntil?: (work: Promise<unknown>) => void;
  respondWith?: (response: Promise<Response>) => void;
}
const SITE = "https://practice.test";
class SiteRequest extends Request {
  constructor(path: string, init: RequestInit) {
    super(new URL(path, SITE), init);
  }
}
const listeners = new Map<string, (event: Event) => void>();
const kept = new Map<string, string>();
const network = vi.fn<typeof fetch>();
const cache = { put: vi.fn(async (_request: Request, _response: Response) => undefined) };
const caches = {
  open: async () => cache,
  match: vi.fn(async (path: string) => {
    const body = kept.get(path);
    return body === undefined ? undefined : new Response(body);
  }),
};
const skipWaiting = vi.fn(async () => undefined);

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  vi.resetModules();
  vi.clearAllMocks();
  kept.clear();
  kept.set("/contact", "cached page").set("/main.js", "cached script");
  const precache = { version: "new", pages: ["/contact", "/pricing"], assets: ["/main.js"] };
  const self = { addEventListener: listeners.set.bind(listeners), skipWaiting };
  const location = new URL(SITE);
  const globals = { PRECACHE: precache, self, location, caches, fetch: network, ...self };
  for (const [name, value] of Object.entries({ ...globals, Request: SiteRequest }))
    vi.stubGlobal(name, value);
  await import("#lib/browser/service-worker.ts");
});

/** The body of the service worker's response; undefined if the browser uses the network itself. */
async function answerTo(path: string, init: RequestInit = {}, mode = "navigate") {
  const request = new SiteRequest(path, init);
  Object.defineProperty(request, "mode", { value: mode });
  let response: Promise<Response> | undefined;
  const respondWith = (given: Promise<Response>) => {
    response = given;
  };
  listeners.get("fetch")?.({ request, respondWith });
  response?.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(5_001);
  return response?.then((answer) => answer.text());
}

const answers = (status: number) => async () =>
  status === 0 ? Response.error() : new Response("network", { status });
const answersAfter = (ms: number) => () =>
  new Promise<Response>((resolve) => setTimeout(resolve, ms, new Response("network")));
const hangs = () => new Promise<Response>(() => undefined);
const fails = () => Promise.reject(new TypeError("Failed to fetch"));

it.each([
  ["a page from the network", "/contact", answers(200), "network"],
  ["a page from a slow network", "/contact", answersAfter(4_999), "network"],
  ["a page that is not cached from a slower network", "/pricing", answersAfter(5_001), "network"],
  ["the redirect of a portal", "/contact", answers(0), ""],
  ["a page that the server refuses", "/contact", answers(429), "network"],
  ["the cached page for a server that fails", "/contact", answers(500), "cached page"],
  ["the cached page for a network that hangs", "/contact", hangs, "cached page"],
  ["the cached page without a network", "/contact?region=yeoju", fails, "cached page"],
  ["the 503 of a page that is not cached", "/pricing", answers(503), "network"],
  ["a cached script", "/main.js", hangs, "cached script"],
])("the service worker answers with %s", async (_, path, responder, expected) => {
  network.mockImplementation(responder);
  expect(await answerTo(path)).toBe(expected);
});

it.each([
  ["fails", fails],
  ["hangs", hangs],
])("pages and scripts come from the network if the cache %s", async (_, match) => {
  caches.match.mockImplementation(match);
  network.mockImplementation(answers(502));
  for (const path of ["/contact", "/main.js"]) {
    expect(await answerTo(path)).toBe("network");
    expect(caches.match).toHaveBeenCalledWith(path, { cacheName: "pages-new", ignoreVary: true });
  }
});

it("the service worker leaves forms, results and other sites to the browser", async () => {
  expect(await answerTo("/contact", { method: "POST" })).toBeUndefined();
  expect(await answerTo("/contact", {}, "cors")).toBeUndefined();
  expect(await answerTo("https://other.test/contact")).toBeUndefined();
  for (const path of ["/contact/result", "/api/health", "/art/hero.svg"])
    expect(await answerTo(path)).toBeUndefined();
  expect(caches.match).not.toHaveBeenCalled();
});

async function workOf(name: string, tag?: string): Promise<unknown> {
  let work: Promise<unknown> | undefined;
  listeners.get(name)?.({
    tag,
    waitUntil(given) {
      work = given;
    },
  });
  return work;
}

const answerOurs = async (request: Parameters<typeof fetch>[0]) =>
  String(Reflect.get(Object(request), "url")).endsWith(".js")
    ? new Response("", { headers: { "content-type": "text/javascript" } })
    : new Response('<script src="/main.js">', { headers: { "content-type": "text/html" } });

const html = (body: string) => new Response(body, { headers: { "content-type": "text/html" } });
it.each([
  ["a portal's page for a page", "/contact", () => html("<h1>Wi-Fi</h1>")],
  ["a portal's page for a script", "/main.js", () => html('<script src="/main.js">')],
  ["a page of another type", "/pricing", () => new Response('<script src="/main.js">')],
  ["an error", "/main.js", () => new Response("", { status: 503 })],
])("a service worker that gets %s is not installed [96]", async (_, path, answer) => {
  network.mockImplementation(async (request) =>
    Reflect.get(Object(request), "url") === SITE + path ? answer() : answerOurs(request),
  );
  await expect(workOf("install")).rejects.toThrow(`foreign response for ${SITE}${path}`);
  expect(skipWaiting).not.toHaveBeenCalled();
});

/** Runs a sync event to its end. The worker must first wait for the page's own request. */
async function sync(tag: string): Promise<unknown> {
  const work = workOf("sync", tag);
  const ended = Promise.allSettled([work]);
  await vi.advanceTimersByTimeAsync(11_999);
  const isEarly = network.mock.calls.length > 0;
  await vi.advanceTimersByTimeAsync(1);
  await ended;
  expect(isEarly, "sent while the page may still send").toBe(false);
  return work;
}

it("background sync fails while an application may wait", async () => {
  await expect(sync("training-applications")).rejects.toThrow("still wait");
  expect(await workOf("sync", "other")).toBeUndefined();
});

it("background sync leaves the page 12 seconds to send", async () => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  vi.stubGlobal("BroadcastChannel", undefined);
  const { outbox } = await import("#lib/browser/outbox.ts");
  await outbox.keep({ id: "a", form: "dialog", values: filledInValues, at: 0 });
  network
    .mockReset()
    .mockResolvedValue(Response.json({ success: true, message: "", data: receipt }));
  expect(await sync("training-applications")).toBeUndefined();
  expect(network).toHaveBeenCalledTimes(1);
  expect(outbox.find("a")).toMatchObject({ receipt });
});
