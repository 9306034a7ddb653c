/** What holds whatever happens: random histories against the real engine and the real store. */
import fc from "fast-check";
import {
  DAY,
  type Deed,
  deeds,
  HISTORIES,
  HOUR,
  SEED,
  type Settings,
} from "#testing/delivery-deeds.ts";
import { expectHealth } from "#testing/delivery-health.ts";
import { History } from "#testing/delivery-history.ts";
import type { Arrived } from "#testing/delivery-weather.ts";
import { storeInMemory } from "#testing/store-in-memory.ts";

/**
 * The owner is told everything, never a third time, never twice without a look, never over the caps.
 * @throws for the first history of which that is not true. Returns how many were tried.
 */
export async function tryHistories(settings: fc.Arbitrary<Settings>): Promise<number> {
  const memory = await storeInMemory();
  let tried = 0;
  await fc.assert(
    fc.asyncProperty(settings, deeds, async (first, history) => {
      const engine = new History(memory, first);
      for (const deed of history) {
        await engine.take(deed);
        if (!CHANGES_NOTHING.has(deed.do)) expectNothingLeaving(engine);
      }
      if (!engine.clockWasSet) await expectHealth(engine);
      expectFewCopies(engine);
      expectLooks(engine);
      if (!engine.clockWasSet) expectCaps(engine);
      await toTheEnd(engine);
      if (!engine.clockWasSet) expectFewAlarms(engine);
      expectFewCopies(engine);
      expectEnds(engine);
      tried += 1;
    }),
    { numRuns: HISTORIES / 2, ...SEED },
  );
  await memory.store.close();
  return tried;
}

/** Until something falls due. */
const CHANGES_NOTHING = new Set<Deed["do"]>(["weather", "list", "die"]);

/** What is open has a next time; what was leaving has ended; nothing is filed that could go, no alarm is false. */
function expectNothingLeaving(engine: History): void {
  const { now } = engine.world;
  const { numbers, addresses } = engine.settings;
  const jobs = engine.jobs();
  const open = new Set(jobs.filter(({ state }) => state === "open").map(({ id }) => id));
  for (const job of jobs) {
    if (job.state === "filed" && numbers + addresses > 0)
      throw new Error(`${job.subject} is filed, though something could carry it`);
    // What a digest carries goes by the time of the digest.
    if (job.state !== "open" || open.has(job.digest)) continue;
    const next = Number(job.next_at);
    if (!(next <= now + DAY)) throw new Error(`${job.subject} is next at ${next}`);
  }
  if (engine.world.falseAlarms > 0) throw new Error("an alarm about a carrier that works again");
  for (const { outcome } of engine.unended()) throw new Error(`a message is still ${outcome}`);
}

/** Of one application, one recipient gets two at most, and as many again each time that a person asks. */
function expectFewCopies({ world, asked }: History): void {
  const copies = Map.groupBy(
    world.arrived.flatMap((message) =>
      message.applications.map((id) => ({ id, key: `${id} ${message.recipient}` })),
    ),
    ({ key }) => key,
  );
  for (const [key, all] of copies) {
    const most = 2 * (1 + (asked.get(all[0]?.id ?? "") ?? 0));
    if (all.length > most) throw new Error(`${key} got ${all.length} copies`);
  }
}

/** After a text that may be out, a second one only after a look. */
function expectLooks({ world, asked }: History): void {
  const doubts = new Set<string>();
  for (const heard of world.heard) {
    const key = `${heard.applicationId} ${heard.recipient}`;
    if (heard.what === "look") {
      if (heard.answered) doubts.delete(key);
    } else if (doubts.has(key) && !asked.has(heard.applicationId))
      throw new Error(`${key} got a second text without a look`);
    else if (heard.doubtful) doubts.add(key);
  }
}

/** One subject a day to one recipient, and once more where it was refused. */
function expectFewAlarms({ world }: History): void {
  const alarms = world.arrived.filter(({ kind }) => kind === "alarm");
  for (const { about, recipient, at } of alarms) {
    const same = alarms.filter((alarm) => alarm.about === about && alarm.recipient === recipient);
    const within = same.filter((alarm) => alarm.at > at - DAY && alarm.at <= at);
    if (within.length > 2)
      throw new Error(`${recipient} is told ${within.length} times of ${about}`);
  }
}

function expectCaps({ world, caps }: History): void {
  const texts = world.arrived.filter(({ carrier }) => carrier === "sms");
  for (const { at } of texts) {
    const within = (ms: number) =>
      segmentsIn(texts.filter((text) => text.at > at - ms && text.at <= at));
    if (within(HOUR) > caps.hourly || within(DAY) > caps.daily) throw new Error("over the caps");
  }
}

const segmentsIn = (texts: readonly Arrived[]) =>
  texts.reduce((sum, { segments }) => sum + segments, 0);

/** The weather clears, and a day passes. */
async function toTheEnd(engine: History): Promise<void> {
  engine.world.death = undefined;
  Object.assign(engine.world.weather, { sms: "works", mail: "works", list: "prompt" });
  await engine.restart({ numbers: 1, addresses: 1, caps: { hourly: 30, daily: 100 } });
  await engine.pass(DAY + 2 * HOUR);
}

/** The owner has been told, or the application was given up and an alarm says so. */
function expectEnds(engine: History): void {
  const { arrived } = engine.world;
  const reached = (id: string) =>
    arrived.some(
      ({ applications, fate }) =>
        applications.includes(id) &&
        (fate !== "undelivered" || engine.settingsChanged || engine.clockWasSet),
    );
  for (const job of engine.jobs()) {
    if (job.application_id === null) continue;
    if (job.state === "done" && reached(String(job.application_id))) continue;
    if (job.state === "given-up" && isAlarmed(engine)) continue;
    throw new Error(`${job.subject} is ${job.state} in the end`);
  }
}

/** One that may be out is not enough: it is told again on the next day. */
function isAlarmed(engine: History): boolean {
  const alarm = engine.jobs().find(({ subject }) => subject === "alarm:given-up");
  return engine
    .sends()
    .some(
      ({ job_id, outcome }) =>
        job_id === alarm?.id && ["accepted", "delivered"].includes(String(outcome)),
    );
}
