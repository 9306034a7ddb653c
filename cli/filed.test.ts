import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { health } from "#cli/applications/health.ts";
import { list } from "#cli/applications/list.ts";
import { examineNotes } from "#cli/doctor/notes.ts";
import { parseConfig } from "#lib/config.ts";
import { aNewApplication, TEST_NOW, temporaryStore } from "#testing/temporary-store.ts";

const said: string[] = [];
beforeEach(() => {
  said.length = 0;
  vi.spyOn(process.stdout, "write").mockImplementation((text) => said.push(`${text}`) > 0);
});
afterEach(() => vi.restoreAllMocks());

test("health, doctor and list say how many applications were only filed, and since when", async () => {
  await using temporary = temporaryStore();
  const { store, folder } = temporary;
  const config = parseConfig({ DATA_DIR: folder, PORT: "1" });
  for (const now of [TEST_NOW, TEST_NOW + 60_000]) {
    await store.accept(aNewApplication({ now, idempotencyKey: `${now}` }));
  }
  for (const filed of await store.leaseDue({ now: TEST_NOW + 60_000, leaseMs: 1, limit: 2 })) {
    await store.mark(filed, { state: "filed", transport: "file" }, TEST_NOW + 60_000);
  }
  const howMany =
    /파일로만? 보관한 신청(이)? 2건.*가장 오래된 것은 (20\d\d년 )?12월 1일\(화\) 오전 9:30에 접수/;
  await list.run([], config);
  expect(said.join("")).toMatch(howMany);
  said.length = 0;
  await health.run([], config);
  expect(said.filter((line) => line.includes("가장 오래된 것은"))).toEqual([
    expect.stringMatching(howMany),
  ]);
  expect(await examineNotes(config, TEST_NOW)).toEqual([
    { check: "filed", level: "warn", sentence: expect.stringMatching(howMany) },
  ]);
});

test("where nothing was filed, none of them says so", async () => {
  await using temporary = temporaryStore();
  const config = parseConfig({ DATA_DIR: temporary.folder, PORT: "1" });
  await temporary.store.accept(aNewApplication());
  await list.run([], config);
  await health.run([], config);
  expect(said.join("")).not.toContain("파일로 보관");
  expect(await examineNotes(config, TEST_NOW)).toEqual([]);
});
