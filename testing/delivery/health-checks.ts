/** The checks of the rules about what health says of the deliveries. */
import { MINUTE } from "#lib/application/durations.ts";
import { CHANNEL_NAMES, type ChannelName } from "#lib/channels/names.ts";
import { CHANNEL_WORDS } from "#lib/channels/words.ts";
import { withSubjectParticle } from "#lib/content/copy.ts";
import { FAILOVER_AFTER } from "#lib/delivery/retry.ts";
import type { Finding } from "#lib/finding.ts";
import type { Delivery } from "#testing/delivery/delivery-checks.ts";
import type { Checks } from "#testing/delivery/rules.ts";
import type { Send, World } from "#testing/delivery/world.ts";

export interface Spoken {
  findings: readonly Finding[];
  deliveries: readonly Delivery[];
}

/** A faulty step of a channel: refused, or silent for long, and nothing has been accepted since. */
function hasFailed(channel: ChannelName, world: World): boolean {
  if (world.recipients[channel].length === 0) return false;
  const all = world.faultsOf(channel);
  // A refusal of a message or a recipient shows that the channel answers.
  const isOther = ({ answer }: Send) => answer?.fault?.about !== "channel";
  const faults = all.slice(all.findLastIndex(isOther) + 1);
  const isRefused = faults.at(-1)?.answer?.outcome === "rejected";
  return isRefused || world.steady - (faults[0]?.at ?? world.steady) >= FAILOVER_AFTER;
}

const isRefusal = ({ answer }: Send) => answer?.fault?.about === "recipient";
const wasRefused = (to: string, { sends }: World) =>
  sends.some((send) => send.recipient === to && isRefusal(send));
/** The last word about this recipient is a refusal. */
function isRefused(to: string, { sends }: World): boolean {
  const answered = sends.filter((send) => send.recipient === to && send.answer);
  const last = Math.max(...answered.map(({ answerNumber = 0 }) => answerNumber));
  return answered.some((send) => send.answerNumber === last && isRefusal(send));
}

const says = ({ findings }: Spoken, words: string) =>
  findings.some(({ sentence }) => sentence.includes(words));

const ofChannel = (channel: ChannelName) => `${CHANNEL_WORDS[channel]} 발송이 `;
const ofRecipient = (channel: ChannelName) =>
  `${withSubjectParticle(CHANNEL_WORDS[channel])} 전달되지`;

const NOTHING_ARRIVES = "아무것도 전달되지";

const someChannel = (isBroken: (channel: ChannelName) => boolean) =>
  CHANNEL_NAMES.find(isBroken) ?? false;

export const HEALTH_CHECKS: Checks<Spoken> = {
  "failed channel": (spoken, world) =>
    someChannel((channel) => hasFailed(channel, world) && !says(spoken, ofChannel(channel))),
  "sound channel": (spoken, world) =>
    someChannel(
      (channel) => world.faultsOf(channel).length === 0 && says(spoken, ofChannel(channel)),
    ),
  "failed recipient": (spoken, world) =>
    someChannel(
      (channel) =>
        world.recipients[channel].some((recipient) => isRefused(recipient, world)) &&
        !says(spoken, ofRecipient(channel)) &&
        !says(spoken, ofChannel(channel)),
    ),
  "sound recipient": (spoken, world) =>
    someChannel(
      (channel) =>
        !world.recipients[channel].some((recipient) => wasRefused(recipient, world)) &&
        says(spoken, ofRecipient(channel)),
    ),
  "given up": (spoken) =>
    says(spoken, "직접 연락이 필요한") !==
    spoken.deliveries.some(({ state }) => state === "given-up"),
  filed: (spoken) =>
    says(spoken, "파일로 보관한") !== spoken.deliveries.some(({ state }) => state === "filed"),
  "nothing arrives"(spoken, world) {
    const lastAt = Math.max(...CHANNEL_NAMES.map((name) => world.takenAt(name)));
    const silentFor = Math.min(longestWait(stuck(spoken, world), world), world.steady - lastAt);
    return silentFor >= FAILOVER_AFTER + 3 * MINUTE && !says(spoken, NOTHING_ARRIVES);
  },
  "something arrives": (spoken, world) =>
    says(spoken, NOTHING_ARRIVES) && longestWait(waiting(spoken), world) < FAILOVER_AFTER,
};

const waiting = ({ deliveries }: Spoken) =>
  deliveries.filter(({ state }) => state === "new" || state === "open");

/** What the caps or a missing mail channel may delay does not count, nor does what has arrived unknown to the site. */
const stuck = (spoken: Spoken, world: World) =>
  waiting(spoken).filter(
    ({ applicationId }) =>
      !world.mayBeCapped("sms") &&
      !(world.isSuspicious(applicationId) && world.recipients.mail.length === 0) &&
      world.about(applicationId).every(({ arrived }) => !arrived),
  );

function longestWait(deliveries: readonly Delivery[], world: World): number {
  const asked = deliveries.map(({ applicationId }) => world.applications.get(applicationId));
  return Math.max(0, ...asked.map((each) => world.steady - (each?.askedAt ?? world.steady)));
}
