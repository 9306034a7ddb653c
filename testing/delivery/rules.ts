/** What must hold in every history of the delivery, and the events of a history after which a rule no longer holds. */
import type { HistoryEvent, World } from "#testing/delivery/world.ts";

const CLOCK = "set the clock";
const [CRASH, RESTART, RESEND, AGED] = ["crash", "restart", "resend", "age retries"] as const;

/** Each row: the rule, then the events after which it is off. A resend switches it off for the resent application. */
const RULES = {
  // Right before the first byte of a message.
  "alarm elsewhere": ["an alarm goes neither to its channel nor to its recipient"],
  "alarm about the settings": ["no alarm is about a recipient that is not configured [66]"],
  "suspects by mail": ["what looks automated is texted only if mail is not configured"],
  "once each": ["a recipient who has an application does not get it again", RESEND],
  // A resend sends at once, and a clock that was set moves the named time.
  "named time": ["no message leaves before the time that the provider names", CLOCK, RESEND],
  "search first": ["a second text leaves only after a search that did not find the first", RESEND],
  "phone off": [
    "a text to a phone that was off is repeated after six hours, and not at night",
    ...[CLOCK, RESEND],
  ],
  // A process that was stopped may have lost an answer.
  "no reserve": [
    "a channel sends nothing once all recipients of the other one have the application",
    ...[CRASH, RESEND],
  ],
  "full text": ["the full text is mailed only beside a shortened text message"],
  // Once the provider has a message.
  "two copies": ["no recipient gets more than two copies for each request of the owner"],
  caps: ["the texts of an hour and of a day stay under the caps, in segments [23][65]", CLOCK],
  "one alarm a day": [
    "a recipient gets one alarm of a topic a day, one more if undelivered [49]",
    CLOCK,
  ],
  "true alarm": [
    "no alarm is about a channel that works, or failed with our own network [67]",
    CLOCK,
  ],
  // When the provider's list is searched.
  "late search": ["a text is searched for at the earliest a minute after it began [14]", CLOCK],
  // After each action, while nothing is due.
  "file alone": ["an application is filed if no channel is configured, and only then"],
  "no false end": ["what somebody has is neither filed nor given up", RESEND],
  "left settings": ["nothing waits for a channel that has left the settings [66]", RESEND],
  "a day at most": ["whatever waits is due within a day"],
  "search soon": ["a text in doubt is searched for within three minutes", CLOCK, AGED, RESEND],
  failover: [
    "the other channel has an application two minutes after the failover is due",
    ...[CLOCK, RESTART, RESEND],
  ],
  "failover at once": [
    "the other channel has an application at once after a refusal, or over the cap",
    ...[CLOCK, RESTART, RESEND],
  ],
  "five days": ["an application is given up after all tries, or in doubt", AGED, RESEND],
  // After the last restart, at which every channel has a recipient and works, and a day later.
  "repair at once": ["a restart sends at once what has certainly reached nobody", RESEND],
  "preferred first": [
    "a repair of both channels sends by the preferred channel",
    ...[RESTART, AGED, RESEND],
  ],
  "all handled": ["every application has arrived, or is given up with an alarm"],
  "all recipients": [
    "all recipients of the preferred channel, or one of the other, have the application",
    ...[CLOCK, RESTART, AGED, RESEND],
  ],
  "mailed in full": ["a long application is mailed in full", CLOCK, RESTART, AGED, RESEND],
  // What health says at the end of the history.
  "failed channel": ["health names a channel that refuses, or is silent for 15 minutes", CLOCK],
  "sound channel": ["health names no channel without a fault since its last success", CLOCK],
  "failed recipient": ["health names a recipient that is refused, or its channel", CLOCK],
  "sound recipient": ["health names no recipient that was never refused", CLOCK],
  "given up": ["health says if applications were given up", CLOCK],
  filed: ["health says if applications are filed", CLOCK],
  "nothing arrives": ["health says that nothing arrives after 18 minutes", CLOCK],
  "something arrives": ["health says that nothing arrives only after 15 minutes", CLOCK],
} as const satisfies Record<string, readonly [says: string, ...offAfter: HistoryEvent[]]>;

type RuleName = keyof typeof RULES;
/** Returns true, or a text with the particulars, if the subject breaks the rule. */
export type Checks<Subject> = {
  readonly [Name in RuleName]?: (subject: Subject, world: World) => boolean | string;
};

/** Describes the first rule that the subject breaks. */
export function findBrokenRule<Subject extends object>(
  checks: Checks<Subject>,
  subject: Subject,
  world: World,
): string | undefined {
  for (const [name, isBroken] of Object.entries(checks)) {
    const [says, ...offAfter] = RULES[name as RuleName];
    if (offAfter.some((event) => isOffAfter(event, subject, world))) continue;
    const found = isBroken(subject, world);
    if (found)
      return `Broken: ${says}${found === true ? "" : ` (${found})`}: ${JSON.stringify(subject)}`;
  }
  return undefined;
}

function isOffAfter(event: HistoryEvent, subject: object, world: World): boolean {
  if (event !== "resend") return world.happened.has(event);
  const id = "applicationId" in subject ? String(subject.applicationId) : "";
  return world.applications.get(id)?.wasResent === true;
}
