import { expect, it } from "vitest";
import * as dialog from "#lib/content/application-dialog.ts";
import * as form from "#lib/content/application-form.ts";
import * as result from "#lib/content/application-result.ts";
import { keptBoxTexts } from "#lib/content/kept-box.ts";

it("texts about a result do not say where something is on the page", () => {
  const texts = JSON.stringify([form, dialog, keptBoxTexts, result]);
  expect(texts).not.toMatch(/아래|위[ 에의]|다음 [내번]/);
});
