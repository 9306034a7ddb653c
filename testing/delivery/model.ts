/**
 * Model test of the delivery: random histories run on the real engine and the real store. `npm test` tries the same
 * histories each time. `DELIVERY_HISTORIES=1000000 npx vitest run lib/delivery/model` tries other histories;
 * `DELIVERY_SEED` repeats a failed run.
 */
import fc from "fast-check";
import { DAY, HOUR } from "#lib/application/durations.ts";
import { CHANNEL_NAMES } from "#lib/channels/names.ts";
import { type HistoryAction, type HistorySettings, histories } from "#testing/delivery/actions.ts";
import { expectHealth } from "#testing/delivery/health-rule.ts";
import { DeliveryHistory } from "#testing/delivery/history.ts";
import { mapChannels } from "#testing/delivery/provider-behaviour.ts";
import { isKnownReached } from "#testing/delivery/send-log.ts";
import { openStoreInMemory, type StoreInMemory } from "#testing/storage/store-in-memory.ts";

const { DELIVERY_HISTORIES, DELIVERY_SEED } = process.env;
/** Number of histories in each of the two test files, which run in parallel. */
export const HISTORY_COUNT = Number(DELIVERY_HISTORIES ?? 20_000) / 2;
export const HISTORIES_TIMEOUT_MS = 60_000 + HISTORY_COUNT * 200;
const seed = Number(DELIVERY_SEED ?? (DELIVERY_HISTORIES ? Date.now() : 1));

/**
 * Expects at most two copies of an application per recipient and resend, a second text only after a status check, and
 * no text over the caps. Returns the number of histories.
 * @throws for the first history that breaks an invariant
 */
export async function runHistories(settings: fc.Arbitrary<HistorySettings>): Promise<number> {
  const memory = await openStoreInMemory();
  let tried = 0;
  await fc.assert(
    fc.asyncProperty(settings, histories, async (first, history) => {
      await runHistory(memory, first, history);
      tried += 1;
    }),
    { numRuns: HISTORY_COUNT, seed },
  );
  await memory.store.close();
  return tried;
}

export async function runHistory(
  memory: StoreInMemory,
  first: HistorySettings,
  history: readonly HistoryAction[],
): Promise<void> {
  const engine = new DeliveryHistory(memory, first);
  const { sendLog } = engine.world;
  for (const action of history) {
    await engine.apply(action);
    expectNoJobStuck(engine);
  }
  if (!sendLog.clockWasSet) await expectHealth(engine);
  await letEverythingArrive(engine);
  const hasAll = Object.values(first.recipients).every((count) => count > 0);
  const isSimple = hasAll && !sendLog.settingsChanged;
  expectAllHandled(engine, isSimple && !sendLog.clockWasSet && !engine.hasAgedRetries);
}

/** Expects every open job to have a next run and a channel that could carry it, and no attempt to be `sending`. */
function expectNoJobStuck(engine: DeliveryHistory): void {
  const { sendLog, now } = engine.world;
  const hasChannel = Object.values(sendLog.recipients).some((own) => own.length > 0);
  const jobs = engine.jobs();
  for (const { state, kind, topic, application_id, next_at } of jobs) {
    const fail = (what: string) => {
      throw new Error(`${kind} ${topic} is ${state}, ${what}`);
    };
    const id = String(application_id);
    const holders = sendLog.asked.has(id) ? [] : sendLog.holdersOf(id);
    if (state === "filed" && hasChannel) fail("though something could carry it");
    if (kind === "application" && holders.length > 0 && (state === "filed" || state === "given-up"))
      fail("though somebody has it");
    if (state !== "open") continue;
    if (kind === "application" && !hasChannel) fail("though nothing carries it");
    const isGone =
      kind === "application" &&
      holders.every(({ channel }) => sendLog.recipients[channel].length === 0);
    if (holders.length > 0 && isGone) fail("though somebody has it by what is gone");
    if (!(Number(next_at) <= now + DAY)) fail(`and next at ${next_at}`);
  }
  for (const { outcome } of engine.danglingAttempts())
    throw new Error(`a message is still ${outcome}`);
}

async function letEverythingArrive(engine: DeliveryHistory): Promise<void> {
  const { world, settings } = engine;
  world.crashPoint = undefined;
  Object.assign(world.sendLog.providers, { ...mapChannels(() => "works"), list: "prompt" });
  const recipients = mapChannels((name) => Math.max(settings.recipients[name], 1));
  await engine.restart({ recipients, caps: { hourly: 30, daily: 100 } });
  await engine.pass(DAY + 2 * HOUR);
}

/**
 * Expects every application to have reached the owner, or to be given up with an alarm. `isSimple`: each channel had a
 * recipient, and neither settings, clock nor tries were changed. Then every recipient of the preferred channel has the
 * application, or the other channel delivered it. A long application was also attempted by mail.
 */
function expectAllHandled(engine: DeliveryHistory, isSimple: boolean): void {
  const { sendLog } = engine.world;
  for (const {
    kind,
    application_id,
    state,
    topic,
    preferred_channel: preferred,
  } of engine.jobs()) {
    if (kind !== "application") continue;
    const id = String(application_id);
    const all = sendLog.entries.filter(({ applications }) => applications.includes(id));
    const mayBeLost = sendLog.settingsChanged || sendLog.clockWasSet;
    const reached = all.filter(
      ({ arrived }) => arrived && (arrived.finalStatus !== "undelivered" || mayBeLost),
    );
    // An alarm whose outcome is unknown does not count, because it is sent again on the next day.
    const isAlarmed = sendLog.entries.some(
      (entry) => entry.about === "given-up" && isKnownReached(entry),
    );
    if (state === "given-up" && isAlarmed) continue;
    if (state !== "done" || reached.length === 0) throw new Error(`${topic} ends as ${state}`);
    const { suspicious, long } = engine.applications.get(id) ?? {};
    // Suspicious applications go out by mail alone if mail is configured.
    if (!isSimple || suspicious || sendLog.asked.has(id)) continue;
    const isOn = (to: string) => reached.some(({ recipient }) => recipient === to);
    const own = CHANNEL_NAMES.flatMap((name) =>
      name === preferred ? sendLog.recipients[name] : [],
    );
    if (!own.every(isOn) && reached.every(({ channel }) => channel === preferred))
      throw new Error(`${topic} reached only some`);
    // A long application needs only an attempt by mail, because the outcome of the full text may be unknown.
    const mails = all.filter(({ channel }) => channel === "mail");
    if (long && mails.length === 0) throw new Error(`${topic} was never sent in full`);
  }
}
