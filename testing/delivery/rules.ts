/** How the rules of a history are written, checked, and named to the reader of a failing history. */
import type { HistoryEvent, World } from "#testing/delivery/world.ts";

/** Returns true if the rule is broken, or a string with the details to print. */
type IsBroken<Subject> = (subject: Subject, world: World) => boolean | string;
interface Rule<Subject> {
  isBroken: IsBroken<Subject>;
  offAfter: readonly HistoryEvent[];
}

/** Each rule under the sentence that says what must hold. */
export type Rules<Subject> = Readonly<Record<string, Rule<Subject>>>;

/** Returns a function that makes rules about one kind of subject, by convention called `brokenIf`. */
export const ruleMaker =
  <Subject>() =>
  (isBroken: IsBroken<Subject>) => ({
    isBroken,
    offAfter: [],
    /** The rule is not checked after these events. A resend exempts only the resent application. */
    exceptAfter: (...offAfter: HistoryEvent[]): Rule<Subject> => ({ isBroken, offAfter }),
  });

/** Notes a rule that the subject breaks, unless a broken rule is already noted. */
export function noteBrokenRule<Subject extends object>(
  rules: Rules<Subject>,
  subject: Subject,
  world: World,
): void {
  const id = "applicationId" in subject ? String(subject.applicationId) : "";
  const isOff = (event: HistoryEvent) =>
    event === "resend" ? world.isResent(id) : world.happened.has(event);
  for (const [says, { offAfter, isBroken }] of Object.entries(rules)) {
    const found = !offAfter.some(isOff) && isBroken(subject, world);
    const what = found === true ? "" : ` (${found})`;
    if (found) world.broken ??= `Broken: ${says}${what}: ${JSON.stringify(subject)}`;
  }
}

/** The rules that the events of a history have switched off, for the reader of a failing history. */
export const describeRulesOff = (all: readonly Rules<never>[], { happened }: World): string =>
  all
    .flatMap((rules) => Object.entries(rules))
    .map(([says, { offAfter }]) => ({ says, off: offAfter.filter((event) => happened.has(event)) }))
    .filter(({ off }) => off.length > 0)
    .map(({ says, off }) => `Off after ${off.join(", ")}: ${says}`)
    .join("\n");
