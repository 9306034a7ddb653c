import { expect, it, vi } from "vitest";
import { readDraft, writeDraft } from "#lib/browser/draft.ts";
import { filledInValues } from "#testing/fixtures/browser-application.ts";

function openTab(stored: Record<string, string> = {}) {
  const storage = new Map(Object.entries(stored));
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: storage.set.bind(storage),
    removeItem: storage.delete.bind(storage),
  });
  return storage;
}

it("a tab reads what was typed in it, until it is submitted or emptied", () => {
  const storage = openTab();
  expect(readDraft()).toBeUndefined();
  writeDraft({ values: filledInValues, id: "a" });
  expect(readDraft()).toEqual({ values: filledInValues, id: "a" });
  writeDraft("submitted");
  expect(readDraft()).toBe("submitted");
  writeDraft({ values: {} });
  expect(storage.size).toBe(0);
});

it("an unreadable draft counts as none", () => {
  openTab({ draft: "{" });
  expect(readDraft()).toBeUndefined();
});
