/** The pages of these tests run the product's own modules on one device, over a fake database. */
import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Kept } from "#lib/browser/entry.ts";
import { filledIn, receipt } from "#testing/fixtures/browser-application.ts";

const kept: Kept = { id: "a", form: "dialog", values: filledIn, at: 0 };

const network = vi.fn<typeof fetch>();
const fails = async () => new Response("", { status: 503 });
const receives = async () => Response.json({ success: true, message: "", data: receipt });
const register = vi.fn<(path: string, options: object) => Promise<void>>(async () => undefined);
const channels: BroadcastChannel[] = [];
const windows: EventTarget[] = [];
type Page = Awaited<ReturnType<typeof openPage>>;

async function openPage(readyState = "complete") {
  vi.resetModules();
  const window = new EventTarget();
  const document = Object.assign(new EventTarget(), { hidden: false, readyState });
  vi.stubGlobal("document", document);
  vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
  const { startSending } = await import("#lib/browser/start-sending.ts");
  const { outbox } = await import("#lib/browser/outbox.ts");
  windows.push(window);
  return {
    ...{ startSending, outbox, document },
    tell: (name: string, facts = {}) =>
      window.dispatchEvent(Object.assign(new Event(name), { persisted: false }, facts)),
  };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.stubGlobal("indexedDB", new IDBFactory());
  vi.stubGlobal("fetch", network.mockReset().mockImplementation(fails));
  vi.stubGlobal("navigator", {
    serviceWorker: { register, getRegistration: async () => undefined },
  });
  vi.stubGlobal(
    "BroadcastChannel",
    class extends BroadcastChannel {
      constructor(name: string) {
        super(name);
        channels.push(this);
      }
    },
  );
});
afterEach(() => {
  for (const window of windows.splice(0)) window.dispatchEvent(new Event("pagehide"));
  for (const channel of channels.splice(0)) channel.close();
});

it("a page sends an application that an earlier page has kept", async () => {
  await (await openPage()).outbox.keep(kept);
  network.mockImplementation(receives);
  const page = await openPage();
  page.startSending();
  await expect.poll(() => page.outbox.find("a")).toMatchObject({ receipt });
  expect(network).toHaveBeenCalledTimes(1);
});

const showPage = ({ document }: Page, isShown: boolean) => {
  document.hidden = !isShown;
  document.dispatchEvent(new Event("visibilitychange"));
};

it.each([
  ["the network comes back", (page: Page) => page.tell("online"), true],
  ["Back restores it", (page: Page) => page.tell("pageshow", { persisted: true }), true],
  ["it has loaded", (page: Page) => page.tell("pageshow"), false],
  ["its tab is shown", (page: Page) => showPage(page, true), true],
  ["its tab is hidden", (page: Page) => showPage(page, false), false],
])("a page tries to send when $0: $2", async (_, happen, isSending) => {
  const page = await openPage();
  const run = vi.spyOn(page.outbox, "run");
  page.startSending();
  expect(run).toHaveBeenCalledTimes(1);
  happen(page);
  expect(run).toHaveBeenCalledTimes(isSending ? 2 : 1);
});

it("another page shows what a page has received", async () => {
  const [page, other] = [await openPage(), await openPage()];
  const listener = vi.fn();
  other.outbox.subscribe(listener);
  await page.outbox.keep(kept);
  network.mockImplementation(receives);
  await page.outbox.run();
  await expect.poll(() => other.outbox.find("a")).toMatchObject({ receipt });
});

it("a page registers the service worker after it has loaded", async () => {
  register.mockClear();
  const page = await openPage("interactive");
  page.startSending();
  await vi.advanceTimersByTimeAsync(0);
  expect(register).not.toHaveBeenCalled();
  page.tell("load");
  await expect.poll(() => register.mock.calls).toEqual([["/sw.js", { updateViaCache: "none" }]]);
});

it("a page sends without service workers", async () => {
  vi.stubGlobal("navigator", {});
  const page = await openPage();
  await page.outbox.keep(kept);
  network.mockImplementation(receives);
  page.startSending();
  await expect.poll(() => page.outbox.find("a")).toMatchObject({ receipt });
});
