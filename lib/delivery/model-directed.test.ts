/** Histories that failed in random runs, as regression tests. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { DAY, HOUR, MINUTE } from "#lib/application/durations.ts";
import type { HistoryAction, HistorySettings } from "#testing/delivery/actions.ts";
import { mapChannels } from "#testing/delivery/actions.ts";
import { runHistory } from "#testing/delivery/model.ts";
import { openStoreInMemory, type StoreInMemory } from "#testing/storage/store-in-memory.ts";

let memory: StoreInMemory;
beforeAll(async () => {
  memory = await openStoreInMemory();
});
afterAll(() => memory.store.close());

const settingsWithMailboxes = (addresses: number) => ({
  recipients: { ...mapChannels(() => 0), sms: 1, mail: addresses },
  caps: { hourly: 30, daily: 100 } as const,
});
const TWO_PHONES = { ...settingsWithMailboxes(0), recipients: { ...mapChannels(() => 0), sms: 2 } };
const MAIL_ALONE = {
  ...settingsWithMailboxes(0),
  recipients: { ...mapChannels(() => 0), mail: 1 },
};
const apply: HistoryAction = { do: "apply", route: "sms", isSuspicious: false, isLong: false };
const setClockBack: HistoryAction = { do: "set the clock", by: -365 * DAY };

const refusesAll = mapChannels(() => "refuses all" as const);
const noNetwork = mapChannels(() => "no network" as const);

const expectRulesHold = (settings: HistorySettings, history: HistoryAction[]) =>
  expect(runHistory(memory, settings, history)).resolves.toBeUndefined();

const SILENT = ["silent, taken", "silent, taken late"] as const;
it.each(SILENT)("two clock jumps cause no third text message (Twilio: %s) [12]", (sms) =>
  expectRulesHold(settingsWithMailboxes(0), [
    { do: "providers", providers: { sms, mail: "works" } },
    apply,
    setClockBack,
    { do: "pass", ms: 6_000 },
    setClockBack,
    { do: "pass", ms: HOUR },
  ]),
);

it("a clock that was set ahead does not make the worker check without a pause [12]", () =>
  expectRulesHold(settingsWithMailboxes(0), [
    { do: "providers", providers: { sms: "silent, lost", mail: "works" } },
    apply,
    { do: "set the clock", by: 365 * DAY },
    { do: "pass", ms: HOUR },
  ]));

it("no alarm is raised about a channel that has sent a message since its fault [67]", () =>
  expectRulesHold(settingsWithMailboxes(1), [
    { do: "crash", crashPoint: "after the send" },
    apply,
    { do: "providers", providers: { list: "refuses" } },
    apply,
    { do: "pass", ms: HOUR },
  ]));

it("a repair of both channels sends a refused application by only one of them", () =>
  expectRulesHold(settingsWithMailboxes(1), [
    { do: "providers", providers: refusesAll },
    { ...apply, route: "mail" },
  ]));

it("a text that a kill left in doubt is searched for after a minute", () =>
  expectRulesHold(settingsWithMailboxes(0), [
    { do: "crash", crashPoint: "after the record" },
    apply,
    { do: "pass", ms: 4 * MINUTE },
  ]));

it("a text assumed to have arrived hides no refusal that followed its sending", () =>
  expectRulesHold(TWO_PHONES, [
    { do: "providers", providers: { sms: "never confirmed" } },
    apply,
    { do: "providers", providers: { sms: "refuses one recipient" } },
    apply,
    { do: "pass", ms: HOUR },
  ]));

it("a text assumed to have arrived ends no silence that followed its sending", () =>
  expectRulesHold(settingsWithMailboxes(1), [
    { do: "crash", crashPoint: "after the send" },
    { do: "providers", providers: { sms: "never confirmed", mail: "refuses one recipient" } },
    { ...apply, isSuspicious: true },
    { do: "pass", ms: HOUR },
    { do: "providers", providers: { sms: "works", mail: "silent, taken" } },
  ]));

it("health names a refused recipient after a crash cut off the second try", () =>
  expectRulesHold(MAIL_ALONE, [
    { do: "providers", providers: { mail: "refuses one recipient" } },
    apply,
    { do: "crash", crashPoint: "after the send" },
    { do: "resend", which: 0, again: false },
  ]));

it("no alarm follows an outage of our own network and a refusal [67]", () =>
  expectRulesHold(settingsWithMailboxes(1), [
    { do: "providers", providers: mapChannels(() => "silent, taken" as const) },
    { do: "apply", route: "sms", isSuspicious: true, isLong: false },
    { do: "providers", providers: noNetwork },
    { do: "pass", ms: 18 * MINUTE },
    { do: "providers", providers: { sms: "works", mail: "refuses this message" } },
    { do: "pass", ms: 4 * MINUTE },
  ]));

it("no alarm follows an outage of our own network and a refused recipient [67]", () =>
  expectRulesHold(settingsWithMailboxes(1), [
    { do: "providers", providers: noNetwork },
    { ...apply, route: "mail" },
    { do: "pass", ms: 18 * MINUTE },
    { do: "providers", providers: { sms: "refuses one recipient", mail: "hangs" } },
    { do: "pass", ms: 4 * MINUTE },
  ]));

it("the rules hold for a resend of an undelivered text beside one in doubt", () =>
  expectRulesHold(TWO_PHONES, [
    { do: "crash", crashPoint: "after the send" },
    { do: "providers", providers: { sms: "undelivered" } },
    apply,
    { do: "pass", ms: 4 * MINUTE },
    { do: "resend", which: 0, again: false },
  ]));

it("a second copy in doubt is searched for as quickly as the first copy", () =>
  expectRulesHold(settingsWithMailboxes(1), [
    { do: "providers", providers: { sms: "silent, lost", mail: "silent, taken" } },
    apply,
    { do: "pass", ms: HOUR },
    { do: "pass", ms: HOUR },
    { do: "pass", ms: HOUR },
  ]));

it("health calls a channel silent 15 minutes after a hanging mail began", () =>
  expectRulesHold(settingsWithMailboxes(0), [
    { do: "providers", providers: { sms: "silent, taken", mail: "hangs" } },
    { do: "restart", settings: settingsWithMailboxes(0) },
    { ...apply, isSuspicious: true },
    { do: "restart", settings: settingsWithMailboxes(1) },
    { do: "pass", ms: 18 * MINUTE },
    { do: "providers", providers: noNetwork },
  ]));
