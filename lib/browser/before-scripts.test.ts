import { expect, it, vi } from "vitest";
import { consumeTypedFlag, watchBrowserSubmit } from "#lib/browser/before-scripts.ts";

it("only the first form learns that something was typed before the scripts loaded", () => {
  vi.stubGlobal("document", { documentElement: { dataset: { typed: "" } } });
  expect([consumeTypedFlag(), consumeTypedFlag()]).toEqual([true, false]);
});

const pageshow = (persisted: boolean) => Object.assign(new Event("pageshow"), { persisted });

it.each([
  ["an hour", () => vi.advanceTimersByTime(3_600_000), true],
  ["the page's load", (window: EventTarget) => window.dispatchEvent(pageshow(false)), true],
  ["Back", (window: EventTarget) => window.dispatchEvent(pageshow(true)), false],
])("a form sent before hydration counts as sending after $0: $2 [95]", (_, happen, isSending) => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const window = new EventTarget();
  const dataset: DOMStringMap = { submitted: "" };
  vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
  vi.stubGlobal("document", { documentElement: { dataset } });
  const [onChange, ofNextForm] = [vi.fn(), vi.fn()];
  watchBrowserSubmit(onChange);
  expect(onChange.mock.calls).toEqual([[true]]);
  watchBrowserSubmit(ofNextForm);
  happen(window);
  expect(onChange.mock.lastCall).toEqual([isSending]);
  expect(ofNextForm).not.toHaveBeenCalled();
});
