import { expect, test } from "vitest";
import { examineNotes } from "#cli/doctor/notes.ts";
import { type Config, parseConfig } from "#lib/config.ts";
import { TEST_NOW, temporaryStore } from "#testing/temporary-store.ts";

const DAY_MS = 24 * 60 * 60_000;

async function look(config: Config, now = TEST_NOW) {
  const findings = await examineNotes(config, now);
  return findings.map(({ check, level }) => `${check}: ${level}`);
}

test("a clock that jumped is told for a day, a backup that failed until one succeeds", async () => {
  await using temporary = temporaryStore();
  const { store, folder } = temporary;
  const config = parseConfig({ DATA_DIR: folder });
  await store.counts();
  expect(await look(config)).toEqual([]);

  await store.writeNote("clock-jump", { at: TEST_NOW, value: `${-400 * DAY_MS}` });
  const [jump] = await examineNotes(config, TEST_NOW);
  expect(jump).toMatchObject({ level: "warn", sentence: expect.stringContaining("9,600시간") });
  expect(await look(config, TEST_NOW + DAY_MS)).toEqual([]);

  const later = TEST_NOW + 2 * DAY_MS;
  await store.writeNote("backup-failure", { at: later, value: "disk full" });
  expect(await look(config, later)).toEqual(["backup: fault"]);
  await store.writeNote("backup", { at: later + 1, value: "applications.db" });
  expect(await look(config, later + 1)).toEqual(["backup: ok"]);
  expect(await look(config, later + 4 * DAY_MS)).toEqual(["backup: warn"]);
});
