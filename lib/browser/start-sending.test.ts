/** The pages of these tests run the product's own modules on one device, over a fake database. */
import { IDBFactory, IDBTransaction } from "fake-indexeddb";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createQueued, type RecordEvent } from "#lib/browser/record.ts";
import { whenSentTexts } from "#lib/content/application-result.ts";
import { filledIn, receipt } from "#testing/fixtures/browser-application.ts";

const record = createQueued({ id: "a", form: "dialog", tab: "tab", values: filledIn }, Date.now());
const answered: RecordEvent = {
  ...{ type: "answered", sent: record, outcome: { kind: "received", receipt } },
  ...{ toldByForm: false, now: Date.now() },
};

const network = vi.fn<typeof fetch>();
const fails = async () => new Response("", { status: 503 });
const receives = async () => Response.json({ success: true, message: "", data: receipt });
const register = vi.fn<(path: string, options: object) => Promise<void>>(async () => undefined);
const getDirectory = vi.fn(async () => ({}));
const { locks } = navigator;
const channels: BroadcastChannel[] = [];

const windows: EventTarget[] = [];
type Page = Awaited<ReturnType<typeof openPage>>;

async function openPage(readyState = "complete", session = new Map<string, string>()) {
  vi.resetModules();
  const window = new EventTarget();
  const document = Object.assign(new EventTarget(), { hidden: false, readyState });
  vi.stubGlobal("document", document);
  vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => session.get(key) ?? null,
    setItem: session.set.bind(session),
    removeItem: session.delete.bind(session),
  });
  const { startSending, sendNow } = await import("#lib/browser/start-sending.ts");
  const { outbox } = await import("#lib/browser/outbox.ts");
  const { sender } = await import("#lib/browser/sender.ts");
  const { drafts } = await import("#lib/browser/drafts.ts");
  const { FormSubmission } = await import("#lib/browser/form-submission.ts");
  const { whenSentText } = await import("#lib/browser/background.ts");
  windows.push(window);
  return {
    ...{ startSending, sendNow, whenSentText, outbox, sender, drafts, FormSubmission, document },
    tell: (name: string, facts = {}) =>
      window.dispatchEvent(Object.assign(new Event(name), { persisted: false }, facts)),
    state: () => outbox.find(record.id)?.state,
  };
}

/** Waits until a page knows the record in this state. */
async function expectState({ outbox, state }: Page, expected: string): Promise<void> {
  await new Promise<void>((resolve) => outbox.subscribe(() => state() === expected && resolve()));
  expect(state()).toBe(expected);
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.stubGlobal("indexedDB", new IDBFactory());
  vi.stubGlobal("fetch", network.mockReset().mockImplementation(fails));
  const serviceWorker = { register, getRegistration: async () => undefined };
  vi.stubGlobal("navigator", { locks, serviceWorker, storage: { getDirectory } });
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

it("a page sends an application that an earlier page has queued", async () => {
  await (await openPage()).outbox.submit(record);
  network.mockImplementation(receives);
  // A WebView may never answer whether it has a private file system.
  getDirectory.mockReturnValueOnce(new Promise(() => undefined));
  const page = await openPage();
  page.document.hidden = true;
  const sent = expectState(page, "received");
  page.startSending();
  await vi.advanceTimersByTimeAsync(2_000);
  await sent;
  expect(network).toHaveBeenCalledTimes(1);
  // The receipt stays until a visible page has shown it.
  for (const hidden of [true, false]) {
    page.document.hidden = hidden;
    await page.sender.run();
    expect(page.outbox.find("a")).toMatchObject({ seen: !hidden });
  }
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
  const run = vi.spyOn(page.sender, "run");
  page.startSending();
  await expect.poll(() => run.mock.calls.length).toBe(1);
  happen(page);
  expect(run).toHaveBeenCalledTimes(isSending ? 2 : 1);
});

it("startSending claims the drafts for the tab of the page", async () => {
  const session = new Map<string, string>();
  const page = await openPage("complete", session);
  page.drafts.save(filledIn);
  page.startSending();
  const held = async () => (await locks.query()).held?.map(({ name }) => name);
  await expect.poll(held).toContain(`tab/${page.drafts.tabId}`);
  expect((await openPage()).drafts.exist()).toBe(false);
  expect((await openPage("complete", session)).drafts.read("draft")?.values).toEqual(filledIn);
});

it("a submission on a page is sent to the route of its form", async () => {
  network.mockImplementation(receives);
  const page = await openPage();
  const form = new page.FormSubmission("contact");
  const sending = form.submit(filledIn);
  expect(page.outbox.isShownByForm(page.outbox.records()[0]?.id ?? "")).toBe(true);
  expect(await sending).toMatchObject({ status: "received", receipt, isChanged: false });
  expect(network.mock.calls).toMatchObject([
    ["/api/mail/training-application", { method: "POST" }],
  ]);
});

it("a page keeps its records when the database aborts a refresh", async () => {
  const page = await openPage();
  await page.outbox.submit(record);
  vi.spyOn(IDBTransaction.prototype, "commit").mockImplementation(function abort(
    this: IDBTransaction,
  ) {
    this.abort();
  });
  expect(await page.outbox.refresh()).toBe(false);
  expect(page.state()).toBe("queued");
});

it("a submission that was reported as not stored does not reach the disk later", async () => {
  const [page, other] = [await openPage(), await openPage()];
  await page.outbox.refresh();
  // Another tab locks the database for longer than a submission waits.
  let isBusy = true;
  const begun = Promise.withResolvers<void>();
  const keepBusy = (store: IDBObjectStore) => {
    begun.resolve();
    store.get("none").onsuccess = () => isBusy && keepBusy(store);
  };
  void (await import("#lib/browser/database.ts")).transact(keepBusy);
  await begun.promise;
  const { stored, outcome } = page.sender.submit(record);
  void outcome.then(() => {
    isBusy = false;
  });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await stored).toBe(false);
  await outcome;
  await other.outbox.refresh();
  expect(other.outbox.records()).toEqual([]);
});

it("a page knows before it sends that its window is private", async () => {
  getDirectory.mockRejectedValue(new Error("private"));
  const page = await openPage();
  const run = vi.spyOn(page.sender, "run");
  page.startSending();
  await expect.poll(() => run.mock.calls.length).toBe(1);
  expect(page.whenSentText()).toBe(whenSentTexts.privateWindow);
});

it("a page installs the service worker after its load event", async () => {
  (await openPage()).startSending();
  expect(register.mock.calls).toEqual([["/sw.js", { updateViaCache: "none" }]]);
  register.mockClear().mockRejectedValue(new Error("refused"));
  const page = await openPage("interactive");
  page.startSending();
  await page.outbox.refresh();
  expect(register).not.toHaveBeenCalled();
  page.tell("load");
  await expect.poll(() => register.mock.calls.length).toBe(1);
});

it("a page sends in a browser without service workers", async () => {
  vi.stubGlobal("navigator", { locks });
  network.mockImplementation(receives);
  const page = await openPage();
  await page.outbox.submit(record);
  page.startSending();
  await expectState(page, "received");
});

it("a page shows an application that another page of the device has queued", async () => {
  const page = await openPage();
  const change = expectState(page, "queued");
  await (await openPage()).outbox.submit(record);
  await change;
});

it("a page does not send an application that another page edits", async () => {
  const other = await openPage();
  await other.outbox.submit(record);
  const unlock = other.sender.lockForEditing(record.id);
  const page = await openPage();
  await page.outbox.refresh();
  expect(page.sender.isLockedForEditing(record.id)).toBe(true);
  expect(await page.sender.sendQueued()).toBe(1);
  expect(network).not.toHaveBeenCalled();
  unlock();
  await other.outbox.submit({ ...record, id: "b" });
  network.mockImplementation(async () => {
    other.sender.lockForEditing("b");
    return receives();
  });
  expect(await page.sender.sendQueued()).toBe(1);
  expect(network).toHaveBeenCalledTimes(1);
});

const failsAfterRemoval = async ({ outbox }: Page) => {
  await outbox.apply(record.id, { type: "removed" });
  return fails();
};

it.each([
  ["the server receives it", receives, true, 1],
  ["the server cannot receive it", fails, false, 1],
  ["the visitor removes it meanwhile", failsAfterRemoval, true, 1],
])("sendNow sends a record that the disk has lost: %s", async (_, answer, isDone, requests) => {
  const page = await openPage();
  network.mockImplementation(() => answer(page));
  expect(await page.sendNow(record)).toBe(isDone);
  expect(network).toHaveBeenCalledTimes(requests);
});

it("sendNow does not send an application that another page has sent", async () => {
  const page = await openPage();
  const other = await openPage();
  await other.outbox.submit(record);
  await other.outbox.apply(record.id, answered);
  expect(await page.sendNow(record)).toBe(true);
  expect(network).not.toHaveBeenCalled();
});
