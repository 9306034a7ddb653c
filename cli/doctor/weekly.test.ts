import { expect, test } from "vitest";
import { examineWeekly } from "#cli/doctor/weekly.ts";
import { summaryWeek } from "#lib/application/weekly-summary.ts";
import { type Config, parseConfig } from "#lib/config.ts";
import { temporaryStore } from "#testing/temporary-store.ts";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const NINE = Date.parse("2026-11-23T09:00:00+09:00");

async function look(config: Config, now: number) {
  const { level, sentence } = await examineWeekly(config, now);
  return `${level}: ${sentence}`;
}

test("tells when the last summary went out, and that one is stuck", async () => {
  await using temporary = temporaryStore();
  const { store, folder } = temporary;
  const config = parseConfig({ DATA_DIR: folder });
  await store.counts();
  const claim = async (now: number) => {
    const lease = await store.claimSummary(summaryWeek(now), { now, leaseMs: HOUR });
    if (!lease) throw new Error("not leased");
    return lease;
  };
  expect(await look(config, NINE)).toMatch(/^ok: .*아직 보낸 적이 없고/);

  const first = await claim(NINE);
  await store.noteSummary(first, { state: "waiting", nextAttemptAt: NINE + 5_000 }, NINE);
  expect(await look(config, NINE + HOUR)).toBe(
    "warn: 11월 23일(월) 주간 소식을 1번 시도했지만 보내지 못했습니다. 그 전에 보낸 적은 없습니다. 메일과 문자가 나가는지 확인해 주세요. 고치면 자동으로 보냅니다.",
  );
  expect(await look(config, NINE + 3 * DAY)).toMatch(/다음 주간 소식에 함께 담깁니다\.$/);

  const again = await claim(NINE + HOUR);
  await store.noteSummary(again, { state: "sent", transport: "mail" }, NINE + HOUR);
  expect(await look(config, NINE + 2 * HOUR)).toBe(
    "ok: 마지막 주간 소식을 11월 23일(월) 오전 10:00에 보냈습니다.",
  );
  expect(await look(config, NINE + 10 * DAY)).toMatch(/^warn: .*그 뒤로 보내지 못했습니다/);

  const second = await claim(NINE + 7 * DAY);
  await store.noteSummary(second, { state: "unknown", transport: "mail" }, NINE + 7 * DAY);
  expect(await look(config, NINE + 8 * DAY)).toMatch(/^warn: .*확실하지 않습니다/);

  expect(await look({ ...config, weeklySummary: false }, NINE)).toMatch(/^ok: .*꺼져 있습니다/);
});
