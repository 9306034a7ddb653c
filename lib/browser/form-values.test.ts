import { expect, it } from "vitest";
import { fillEmptyFields } from "#lib/browser/form-values.ts";

it("a draft fills only the empty fields that the form has", () => {
  const fields: Record<string, { value: string }> = {
    name: { value: "김여주" },
    age: { value: "" },
    region: { value: "" },
  };
  const elements = { namedItem: (name: string) => fields[name] ?? null };
  const form = { elements } as unknown as HTMLFormElement;
  fillEmptyFields(form, { name: "박여주", age: "34", phone: "010" });
  expect(fields).toEqual({
    name: { value: "김여주" },
    age: { value: "34" },
    region: { value: "" },
  });
});
