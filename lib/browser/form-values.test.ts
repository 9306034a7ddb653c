import { beforeEach, expect, it, vi } from "vitest";
import { valuesBeforeHydration, watchBrowserSubmit } from "#lib/browser/before-scripts.ts";
import { focusFirstError } from "#lib/browser/form-errors.ts";
import { changeValue, fillEmptyFields, formValues } from "#lib/browser/form-values.ts";

/** A form of text fields with these values. `onInput` records input events; `focused()` names the focused field. */
function newForm(values: Record<string, string>) {
  const onInput = vi.fn();
  let focused = "none";
  const controls = new Map(
    Object.entries(values).map(([name, value]) => {
      const focus = () => {
        focused = name;
      };
      const control = Object.assign(new EventTarget(), { name, value, focus });
      control.addEventListener("input", ({ bubbles }) => onInput(name, bubbles));
      return [name, control];
    }),
  );
  const form = {
    elements: { namedItem: (name: string) => controls.get(name) ?? null },
    querySelector: (selector: string) => controls.get(selector.slice(7, -2)) ?? null,
    entries: () => [...controls.values()].map(({ name, value }) => [name, value]),
  };
  return { form: form as unknown as HTMLFormElement, onInput, focused: () => focused };
}

beforeEach(() => {
  // FormData of Node cannot read a form.
  vi.stubGlobal("FormData", function read({ entries }: { entries: () => unknown }) {
    return entries();
  });
});

it("formValues leaves out empty fields", () => {
  expect(formValues(newForm({ name: "김여주", age: "", company: "x" }).form)).toEqual({
    ...{ name: "김여주", company: "x" },
  });
});

it("a draft fills only the empty fields that the form has", () => {
  const { form } = newForm({ name: "김여주", age: "", region: "" });
  fillEmptyFields(form, { name: "박여주", age: "34", phone: "010" });
  expect(formValues(form)).toEqual({ name: "김여주", age: "34" });
  expect(form.elements.namedItem("region")).toHaveProperty("value", "");
});

it.each([
  ["name", "주", "김여주", [["name", true]]],
  // Adding nothing leaves the value unchanged, so no `input` event is fired.
  ["name", "", "김여", []],
  ["message", "주", undefined, []],
] as const)(
  "the field %s, after changeValue has added '%s', has the value %s",
  (field, added, value, events) => {
    const { form, onInput } = newForm({ name: "김여", age: "34" });
    const change = vi.fn((text: string) => text + added);
    changeValue(form, field, change);
    expect(formValues(form)[field]).toBe(value);
    expect(change).toHaveBeenCalledWith(field === "name" ? "김여" : "");
    expect(onInput.mock.calls).toEqual(events);
  },
);

it.each([
  [{ age: "나이", name: "이름" }, "name", true],
  [{ age: "나이", name: undefined }, "age", true],
  [{ phone: "전화번호" }, "none", true],
  [{}, "none", false],
])("the field that focusFirstError focuses for the errors %j is %s", (errors, field, isWrong) => {
  const { form, focused } = newForm({ name: "", age: "" });
  expect(focusFirstError(form, errors)).toBe(isWrong);
  expect(focused()).toBe(field);
});

it("values that were typed before hydration are read from the server's form", () => {
  expect(valuesBeforeHydration("/api")).toEqual({});
  const querySelector = vi.fn<(selector: string) => unknown>(() => null);
  vi.stubGlobal("document", { querySelector });
  expect(valuesBeforeHydration("/api")).toEqual({});
  querySelector.mockReturnValue(newForm({ name: "김여주" }).form);
  expect(valuesBeforeHydration("/api")).toEqual({ name: "김여주" });
  expect(querySelector).toHaveBeenCalledWith('form[action="/api"]:not([data-ready])');
});

const restored = (persisted: boolean) => Object.assign(new Event("pageshow"), { persisted });

it.each([
  ["an hour", () => vi.advanceTimersByTime(3_600_000), true],
  ["the page's load", (window: EventTarget) => window.dispatchEvent(restored(false)), true],
  ["Back", (window: EventTarget) => window.dispatchEvent(restored(true)), false],
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
