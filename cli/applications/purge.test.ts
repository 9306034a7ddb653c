import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { purge } from "#cli/applications/purge.ts";
import { seoulDate } from "#lib/application/seoul-time.ts";
import { parseConfig } from "#lib/config.ts";
import { temporaryStore } from "#testing/temporary-store.ts";

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

beforeEach(() => {
  vi.spyOn(process.stdout, "write").mockImplementation(() => true);
});
afterEach(() => vi.restoreAllMocks());

async function purgeWith(args: string[], noted?: { at: number; ms: number }) {
  await using temporary = temporaryStore();
  const { store, folder } = temporary;
  await store.counts(Date.now());
  if (noted) await store.writeNote("clock", { at: noted.at, value: `${noted.at - noted.ms}` });
  return await purge.run(args, parseConfig({ DATA_DIR: folder }));
}

test("purge believes a clock that the site has watched for a day, until a moment ago", async () => {
  const now = Date.now();
  expect(await purgeWith([], { at: now, ms: DAY_MS })).toBe(0);
  const UNWATCHED = "사이트가 아직 하루 동안";
  await expect(purgeWith([])).rejects.toThrow(UNWATCHED);
  await expect(purgeWith([], { at: now, ms: HOUR_MS })).rejects.toThrow(UNWATCHED);
  await expect(purgeWith([], { at: now - 400 * DAY_MS, ms: DAY_MS })).rejects.toThrow(UNWATCHED);
});

test("purge believes a person who knows what day it is", async () => {
  expect(await purgeWith([seoulDate(Date.now())])).toBe(0);
  const lastYear = seoulDate(Date.now() - 365 * DAY_MS);
  await expect(purgeWith([lastYear])).rejects.toThrow("날짜와 다릅니다");
});
