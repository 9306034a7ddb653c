import { readdirSync } from "node:fs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { backup } from "#cli/applications/backup.ts";
import { parseConfig } from "#lib/config.ts";
import { temporaryStore } from "#testing/temporary-store.ts";

const said: string[] = [];
beforeEach(() => {
  said.length = 0;
  vi.spyOn(process.stdout, "write").mockImplementation((text) => said.push(`${text}`) > 0);
});
afterEach(() => vi.restoreAllMocks());

test("on PostgreSQL the nightly backup says what does it there, and does not fail; one by hand does", async () => {
  await using temporary = temporaryStore();
  const config = parseConfig({
    DATA_DIR: temporary.folder,
    // Nothing listens there: the command does not look.
    DATABASE_URL: "postgres://site@127.0.0.1:1/site",
  });
  expect(await backup.run(["--nightly"], config)).toBe(0);
  expect(said.join("")).toContain("pg_dump --format=custom");
  await expect(backup.run([], config)).rejects.toThrow("pg_dump --format=custom");
  expect(readdirSync(temporary.folder)).toEqual([]);
});
