import { expect, it } from "vitest";
import * as form from "#lib/content/application-form.ts";
import * as result from "#lib/content/application-result.ts";
import * as dialog from "#lib/content/dialog-result.ts";

it("points at nothing below or above: panel, notice, dialog and page put the same words in other places", () => {
  expect(JSON.stringify([form, result, dialog])).not.toMatch(/아래|위[ 에의]|다음 [내번]/);
});
