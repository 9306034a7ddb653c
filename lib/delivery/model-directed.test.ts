/** Histories that failed in random runs, as regression tests. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { DAY, HOUR, MINUTE } from "#lib/application/durations.ts";
import type { HistoryAction } from "#testing/delivery/actions.ts";
import { mapChannels } from "#testing/delivery/actions.ts";
import { runHistory } from "#testing/delivery/model.ts";
import { openStoreInMemory, type StoreInMemory } from "#testing/storage/store-in-memory.ts";

let memory: StoreInMemory;
beforeAll(async () => {
  memory = await openStoreInMemory();
});
afterAll(() => memory.store.close());

const settingsWith = (addresses: number) => ({
  recipients: { ...mapChannels(() => 0), sms: 1, mail: addresses },
  caps: { hourly: 30, daily: 100 } as const,
});
const TWO_PHONES = { ...settingsWith(0), recipients: { ...mapChannels(() => 0), sms: 2 } };
const apply: HistoryAction = { do: "apply", route: "sms", suspicious: false, long: false };
const setClockBack: HistoryAction = { do: "set the clock", by: -365 * DAY };

const SILENT = ["silent, taken", "silent, taken late"] as const;
it.each(SILENT)("two clock jumps cause no third text message (Twilio: %s) [12]", async (sms) => {
  const history: HistoryAction[] = [
    { do: "providers", providers: { sms, mail: "works" } },
    apply,
    setClockBack,
    { do: "pass", ms: 6_000 },
    setClockBack,
    { do: "pass", ms: HOUR },
  ];
  await expect(runHistory(memory, settingsWith(0), history)).resolves.toBeUndefined();
});

it("a clock that was set ahead does not make status checks constant [12]", async () => {
  const history: HistoryAction[] = [
    { do: "providers", providers: { sms: "silent, lost", mail: "works" } },
    apply,
    { do: "set the clock", by: 365 * DAY },
    { do: "pass", ms: HOUR },
  ];
  await expect(runHistory(memory, settingsWith(0), history)).resolves.toBeUndefined();
});

it("no alarm is raised about a channel that has sent a message since its fault [67]", async () => {
  const history: HistoryAction[] = [
    { do: "crash", crashPoint: "after the send" },
    apply,
    { do: "providers", providers: { list: "refuses" } },
    apply,
    { do: "pass", ms: HOUR },
  ];
  await expect(runHistory(memory, settingsWith(1), history)).resolves.toBeUndefined();
});

const refusesAll = mapChannels(() => "refuses all" as const);
it("one of two channels sends what both refused before a repair", async () => {
  const history: HistoryAction[] = [
    { do: "providers", providers: refusesAll },
    { ...apply, route: "mail" },
  ];
  await expect(runHistory(memory, settingsWith(1), history)).resolves.toBeUndefined();
});

it("a text that a kill left in doubt is searched for after a minute", async () => {
  const history: HistoryAction[] = [
    { do: "crash", crashPoint: "after the record" },
    apply,
    { do: "pass", ms: 4 * MINUTE },
  ];
  await expect(runHistory(memory, settingsWith(0), history)).resolves.toBeUndefined();
});

it("a delivery that is only assumed hides no refusal that came after its start", async () => {
  const history: HistoryAction[] = [
    { do: "providers", providers: { sms: "never confirmed" } },
    apply,
    { do: "providers", providers: { sms: "refuses one recipient" } },
    apply,
    { do: "pass", ms: HOUR },
  ];
  await expect(runHistory(memory, TWO_PHONES, history)).resolves.toBeUndefined();
});

it("a delivery that is only assumed ends no silence that came after its start", async () => {
  const history: HistoryAction[] = [
    { do: "crash", crashPoint: "after the send" },
    { do: "providers", providers: { sms: "never confirmed", mail: "refuses one recipient" } },
    { ...apply, suspicious: true },
    { do: "pass", ms: HOUR },
    { do: "providers", providers: { sms: "works", mail: "silent, taken" } },
  ];
  await expect(runHistory(memory, settingsWith(1), history)).resolves.toBeUndefined();
});

it("health names a refused recipient after a crash cut off the second try", async () => {
  const history: HistoryAction[] = [
    { do: "providers", providers: { mail: "refuses one recipient" } },
    apply,
    { do: "crash", crashPoint: "after the send" },
    { do: "resend", which: 0, again: false },
  ];
  const mailAlone = { ...settingsWith(1), recipients: { ...mapChannels(() => 0), mail: 1 } };
  await expect(runHistory(memory, mailAlone, history)).resolves.toBeUndefined();
});

it("no alarm follows an outage of our own network and a refusal [67]", async () => {
  const silent = { sms: "silent, taken", mail: "silent, taken" } as const;
  const noNetwork = { sms: "no network", mail: "no network" } as const;
  const history: HistoryAction[] = [
    { do: "providers", providers: silent },
    { do: "apply", route: "sms", suspicious: true, long: false },
    { do: "providers", providers: noNetwork },
    { do: "pass", ms: 18 * MINUTE },
    { do: "providers", providers: { sms: "works", mail: "refuses this message" } },
    { do: "pass", ms: 4 * MINUTE },
  ];
  await expect(runHistory(memory, settingsWith(1), history)).resolves.toBeUndefined();
});

it("no alarm follows an outage of our own network and a refused recipient [67]", async () => {
  const history: HistoryAction[] = [
    { do: "providers", providers: mapChannels(() => "no network" as const) },
    { ...apply, route: "mail" },
    { do: "pass", ms: 18 * MINUTE },
    { do: "providers", providers: { sms: "refuses one recipient", mail: "hangs" } },
    { do: "pass", ms: 4 * MINUTE },
  ];
  await expect(runHistory(memory, settingsWith(1), history)).resolves.toBeUndefined();
});

it("a resend sends at once what did not arrive, beside a text in doubt", async () => {
  const history: HistoryAction[] = [
    { do: "crash", crashPoint: "after the send" },
    { do: "providers", providers: { sms: "undelivered" } },
    apply,
    { do: "pass", ms: 4 * MINUTE },
    { do: "resend", which: 0, again: false },
  ];
  await expect(runHistory(memory, TWO_PHONES, history)).resolves.toBeUndefined();
});

it("a further copy in doubt is searched for as soon as the first", async () => {
  const pass: HistoryAction = { do: "pass", ms: HOUR };
  const history: HistoryAction[] = [
    { do: "providers", providers: { sms: "silent, lost", mail: "silent, taken" } },
    apply,
    ...[pass, pass, pass],
  ];
  await expect(runHistory(memory, settingsWith(1), history)).resolves.toBeUndefined();
});

it("a mail that hangs beside a text that arrived dates the silence by its start", async () => {
  const restart = (mail: number): HistoryAction => ({
    do: "restart",
    settings: settingsWith(mail),
  });
  const history: HistoryAction[] = [
    { do: "providers", providers: { sms: "silent, taken", mail: "hangs" } },
    restart(0),
    { ...apply, suspicious: true },
    restart(1),
    { do: "pass", ms: 18 * MINUTE },
    { do: "providers", providers: mapChannels(() => "no network" as const) },
  ];
  await expect(runHistory(memory, settingsWith(0), history)).resolves.toBeUndefined();
});
