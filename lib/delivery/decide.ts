/** What to do next with a job, from the sends that were begun for it. Pure. */
import { elapsed, FAILOVER_AFTER_MS, mayAsk, nextQuestionAt } from "#lib/delivery/retry.ts";
import { type Around, NEVER, type Standing, standingOf } from "#lib/delivery/standing.ts";
import { type Attempt, isReached } from "#lib/storage/queries/attempts.ts";
import { CHANNEL_NAMES, type ChannelName } from "#lib/storage/tables.ts";

export interface Case extends Around {
  /** What may carry it, the first choice first. */
  order: readonly ChannelName[];
  /** The owner's numbers and addresses on each. */
  recipients: Readonly<Partial<Record<ChannelName, readonly string[]>>>;
  /** What this look at the job has done already: asked a provider, tried a channel or found it without room. */
  asked: boolean;
  tried: ReadonlySet<ChannelName>;
  /** Since when the first channel fails or has no room, where it is known beside the sends. */
  failingSince: number | undefined;
  /** When a channel without room is tried again. */
  roomAt: number | undefined;
  /** A text leaves out some of it: the whole goes out by mail too. */
  shortened: boolean;
  /** A digest: when it fails, what it carries goes out by itself. */
  yields: boolean;
}

export type Action =
  | { do: "file" }
  /** Ask the provider what became of these. */
  | { do: "ask"; attempts: Attempt[] }
  | {
      do: "send";
      channel: ChannelName;
      recipients: string[];
      insteadOf: ChannelName | undefined;
      whole: boolean;
    }
  | { do: "wait"; until: number }
  | { do: "done" }
  | { do: "give-up" };

export function decide(c: Case): Action {
  if (c.order.length === 0) return { do: someoneHas(c) ? "done" : "file" };
  const attempts = c.asked ? [] : toAsk(c);
  if (attempts.length > 0) return { do: "ask", attempts };
  const told = isTold(c);
  const ways = told ? wayOfTheWhole(c) : waysNow(c);
  for (const channel of ways) {
    const open = c.tried.has(channel) ? [] : standings(c, channel).filter(({ at }) => at <= c.now);
    const recipients = open.map(({ recipient }) => recipient);
    const insteadOf = told || channel === c.order[0] ? undefined : c.order[0];
    if (recipients.length > 0) return { do: "send", channel, recipients, insteadOf, whole: told };
  }
  const waited = told ? ways : c.order;
  const left = waited.some((channel) => standings(c, channel).some(({ at }) => at < NEVER));
  if (told && !left && pending(c).length === 0) return { do: "done" };
  if (!told && (!left || givesWay(c))) return { do: someoneHas(c) ? "done" : "give-up" };
  return { do: "wait", until: nextTimeOf(c, waited) };
}

function standings(c: Case, channel: ChannelName): Standing[] {
  const all = (c.recipients[channel] ?? []).map((to) => standingOf(c, channel, to));
  // A number that was added to the settings later gets nothing that others already have.
  const isLate = someoneHas(c) && c.attempts.some((send) => send.channel === channel);
  return isLate ? all.map((each) => (each.begun ? each : { ...each, at: NEVER })) : all;
}

/** Whether a message has reached somebody, also one who was taken out of the settings since. */
function someoneHas(c: Case, on?: ChannelName): boolean {
  return c.attempts.some(
    ({ channel, recipient }) =>
      (on ?? channel) === channel && standingOf(c, channel, recipient).has,
  );
}

/** Everybody on the first channel has it, or somebody on another one, be it one that may not carry it any more. */
function isTold(c: Case): boolean {
  const [first, ...others] = c.order;
  if (first === undefined || !someoneHas(c)) return false;
  if (CHANNEL_NAMES.some((channel) => channel !== first && someoneHas(c, channel))) return true;
  const isAlone = others.length === 0;
  return standings(c, first).every(
    ({ has, begun, refused }) => has || !begun || (isAlone && refused),
  );
}

/** What was shortened follows whole, by mail. */
function wayOfTheWhole(c: Case): ChannelName[] {
  const follows = c.shortened && c.order.includes("mail") && someoneHas(c, "sms");
  return follows && !someoneHas(c, "mail") ? ["mail"] : [];
}

/** The first channel, and the others when it lacks somebody or has failed for long; before it, where it hangs. */
function waysNow(c: Case): ChannelName[] {
  const [first, ...others] = c.order;
  if (first === undefined) return [];
  if (others.length === 0 || !failsOver(c, first)) return [first];
  const hung = c.attempts.some(
    ({ channel, begunAt, endedAt }) =>
      channel === first && endedAt !== undefined && endedAt - begunAt >= FAILOVER_AFTER_MS / 3,
  );
  return hung ? [...others, first] : [first, ...others];
}

function failsOver(c: Case, first: ChannelName): boolean {
  if (standings(c, first).some(({ refused }) => refused)) return true;
  const since = failsSince(c, first);
  return since !== undefined && elapsed(since, c.now) >= FAILOVER_AFTER_MS;
}

function failsSince(c: Case, first: ChannelName): number | undefined {
  const failed = c.attempts.find((send) => send.channel === first && !isReached(send.outcome));
  const times = [failed?.begunAt, c.failingSince].filter((time) => time !== undefined);
  return times.length === 0 ? undefined : Math.min(...times);
}

/** A digest that has failed for long, and may not be out. */
function givesWay(c: Case): boolean {
  const [first] = c.order;
  if (!c.yields || first === undefined || !failsOver(c, first)) return false;
  const last = c.attempts.at(-1);
  return last === undefined || last.outcome === "not-sent" || last.outcome === "rejected";
}

/** What a provider has, and texts that may be out. */
function toAsk(c: Case): Attempt[] {
  const texts = c.attempts.filter(
    (send) =>
      (send.outcome === "unknown" || send.outcome === "sending") &&
      send.channel === "sms" &&
      c.recipients.sms?.includes(send.recipient) &&
      isLast(c, send),
  );
  const asked = [...pending(c), ...(c.mayRepeat ? texts : [])];
  return asked.filter((send) => mayAsk(send, c.now));
}

/** Also for a number that was taken out of the settings since: nobody else may have it. */
function pending(c: Case): Attempt[] {
  return c.attempts.filter(
    ({ outcome, channel }) => outcome === "accepted" && c.recipients[channel]?.length,
  );
}

/** Whether no later send went the same way. */
function isLast(c: Case, { id, channel, recipient }: Attempt): boolean {
  return !c.attempts.some((s) => s.id > id && s.channel === channel && s.recipient === recipient);
}

function nextTimeOf(c: Case, ways: readonly ChannelName[]): number {
  const [first] = c.order;
  const since = first && failsSince(c, first);
  const failover = since === undefined ? c.now : Math.min(since, c.now) + FAILOVER_AFTER_MS;
  const begun = ways.flatMap((channel) => standings(c, channel)).filter((each) => each.begun);
  const times = [
    ...pending(c).map(({ begunAt }) => nextQuestionAt(begunAt, c.now)),
    ...begun.map(({ at }) => (at > c.now ? at : c.retryAt)),
    ...(c.roomAt === undefined ? [] : [c.roomAt]),
    ...(c.order.length > 1 || c.yields ? [failover] : []),
  ].filter((time) => time > c.now && time < NEVER);
  return times.length === 0 ? Math.max(c.retryAt, c.now) : Math.min(...times);
}
