import { beforeEach, expect, it, type Mock, vi } from "vitest";
import { outbox } from "#lib/browser/outbox.ts";
import { startSending } from "#lib/browser/start-sending.ts";

const register = vi.fn<(path: string, options: object) => Promise<void>>(async () => undefined);
let run: Mock<typeof outbox.keepSending>;

/** Starts a page in this state, and returns its window and document. */
function startPage(readyState = "complete") {
  const window = new EventTarget();
  const document = Object.assign(new EventTarget(), { hidden: false, readyState });
  vi.stubGlobal("document", document);
  vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
  startSending();
  return {
    document,
    tell: (name: string, facts = {}) =>
      window.dispatchEvent(Object.assign(new Event(name), { persisted: false }, facts)),
  };
}
type Page = ReturnType<typeof startPage>;

beforeEach(() => {
  vi.stubGlobal("navigator", { serviceWorker: { register } });
  run = vi.spyOn(outbox, "keepSending").mockResolvedValue();
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
])("a page tries to send again when $0: $2", (_, happen, isSending) => {
  const page = startPage();
  expect(run).toHaveBeenCalledTimes(1);
  happen(page);
  expect(run).toHaveBeenCalledTimes(isSending ? 2 : 1);
});

it("a page registers the service worker after it has loaded", async () => {
  const page = startPage("interactive");
  // A page that does not wait for its load event would register within this macrotask.
  await new Promise(setImmediate);
  expect(register).not.toHaveBeenCalled();
  page.tell("load");
  await expect.poll(() => register.mock.calls).toEqual([["/sw.js", { updateViaCache: "none" }]]);
});
