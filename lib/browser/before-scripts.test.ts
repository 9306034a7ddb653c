import { expect, it, vi } from "vitest";
import { hasTypedBeforeHydration } from "#lib/browser/before-scripts.ts";

it("only the first form learns that something was typed before it", () => {
  vi.stubGlobal("document", { documentElement: { dataset: { typed: "" } } });
  expect([hasTypedBeforeHydration(), hasTypedBeforeHydration()]).toEqual([true, false]);
});
