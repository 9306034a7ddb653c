import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { placeholderPicture } from "#lib/content/picture.ts";
import { sitePictures } from "#lib/content/site-pictures.ts";

/** Every `src` in a module's exports. */
function findSources(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    name === "src" && typeof part === "string" ? [part] : findSources(part),
  );
}

test("the list of pictures has each picture of the content", async () => {
  const files = readdirSync("lib/content").filter((name) => !name.endsWith(".test.ts"));
  const modules = await Promise.all(files.map((name) => import(`#lib/content/${name}`)));
  const known = [placeholderPicture, ...sitePictures].map(({ src }) => src);
  expect([...new Set(modules.flatMap(findSources))].toSorted()).toEqual(
    [...new Set<string>(known)].toSorted(),
  );
});
