/** The rules of what health says at the end of a history. All are off if the clock was set: health compares times. */
import { MINUTE } from "#lib/application/durations.ts";
import { PROVIDER_CHANNELS, type ProviderChannel } from "#lib/channels/names.ts";
import { CHANNEL_WORDS } from "#lib/channels/words.ts";
import { withSubjectParticle } from "#lib/content/korean-words.ts";
import { FAILOVER_AFTER_MS } from "#lib/delivery/retry.ts";
import type { Finding } from "#lib/finding.ts";
import { isIn, NEW_OR_OPEN, type NoticeState } from "#lib/storage/outcomes.ts";
import { type Rules, ruleMaker } from "#testing/delivery/rules.ts";
import type { Delivery } from "#testing/delivery/rules-of-deliveries.ts";
import type { SentMessage, World } from "#testing/delivery/world.ts";

interface HealthAtEnd {
  findings: readonly Finding[];
  deliveries: readonly Delivery[];
}

const isRefusal = ({ answer }: SentMessage) => answer?.fault?.about === "recipient";

/** True if the channel's last fault is a rejection, or faults have lasted 15 minutes. A success clears the faults. */
function hasFailed(channel: ProviderChannel, world: World): boolean {
  if (world.recipients[channel].length === 0) return false;
  const all = [...world.failedSends[channel]];
  // A fault about a message or a recipient shows that the channel answers, so only later faults count.
  const isOther = ({ answer }: SentMessage) => answer?.fault?.about !== "channel";
  const faults = all.slice(all.findLastIndex(isOther) + 1);
  // After a crash the next worker records `unknown` over the message's rejection, so health need not name it.
  const isCutOff = world.sends.findLast((send) => send.channel === channel)?.answer === undefined;
  const isRefused = !isCutOff && faults.at(-1)?.answer?.outcome === "rejected";
  return isRefused || world.elapsed - (faults[0]?.at ?? world.elapsed) >= FAILOVER_AFTER_MS;
}

/** The answered messages to each recipient of the channel, in the order of their answers. */
const answeredByRecipient = (channel: ProviderChannel, world: World): SentMessage[][] =>
  world.recipients[channel].map((recipient) => world.answered.get(recipient) ?? []);

const says = ({ findings }: HealthAtEnd, words: string) =>
  findings.some(({ sentence }) => sentence.includes(words));
const channelSentence = (channel: ProviderChannel) => `${CHANNEL_WORDS[channel]} 발송이 `;
const recipientSentence = (channel: ProviderChannel) =>
  `${withSubjectParticle(CHANNEL_WORDS[channel])} 전달되지`;
const NOTHING_ARRIVES = "아무것도 전달되지";
const hasState = ({ deliveries }: HealthAtEnd, wanted: NoticeState) =>
  deliveries.some(({ state }) => state === wanted);

const brokenIf = ruleMaker<HealthAtEnd>();

/** A rule that is checked for each channel. */
const ruleForEachChannel = (
  isBroken: (channel: ProviderChannel, health: HealthAtEnd, world: World) => boolean,
) =>
  brokenIf(
    (health, world) =>
      PROVIDER_CHANNELS.find((channel) => isBroken(channel, health, world)) ?? false,
  ).exceptAfter("set the clock");

export const RULES_OF_HEALTH: Rules<HealthAtEnd> = {
  "health names a channel that refuses, or is silent for 15 minutes": ruleForEachChannel(
    (channel, health, world) =>
      hasFailed(channel, world) && !says(health, channelSentence(channel)),
  ),
  "health names no channel without a fault since its last success": ruleForEachChannel(
    (channel, health, world) =>
      world.failedSends[channel].size === 0 && says(health, channelSentence(channel)),
  ),
  "health names a recipient that is refused, or its channel": ruleForEachChannel(
    (channel, health, world) =>
      answeredByRecipient(channel, world).some((said) => said.slice(-1).some(isRefusal)) &&
      !says(health, recipientSentence(channel)) &&
      !says(health, channelSentence(channel)),
  ),
  "health names no recipient that was never refused": ruleForEachChannel(
    (channel, health, world) =>
      !answeredByRecipient(channel, world).flat().some(isRefusal) &&
      says(health, recipientSentence(channel)),
  ),
  "health says if applications were given up, or are filed": brokenIf(
    (health) =>
      says(health, "직접 연락이 필요한") !== hasState(health, "given-up") ||
      says(health, "파일로 보관한") !== hasState(health, "filed"),
  ).exceptAfter("set the clock"),
  "health says that nothing arrives after 18 minutes": brokenIf((health, world) => {
    const lastAt = Math.max(...PROVIDER_CHANNELS.map((name) => world.takenAt[name]));
    // Leaves out what the caps or a missing mail channel may delay, and what arrived without the site's knowledge.
    const isStuck = ({ applicationId }: Delivery) =>
      !world.mayBeCapped("sms") &&
      !(world.isSuspicious(applicationId) && world.recipients.mail.length === 0) &&
      world.sendsAbout(applicationId).every(({ arrived }) => !arrived);
    const silentFor = Math.min(longestWait(health, world, isStuck), world.elapsed - lastAt);
    return silentFor >= FAILOVER_AFTER_MS + 3 * MINUTE && !says(health, NOTHING_ARRIVES);
  }).exceptAfter("set the clock"),
  "health says that nothing arrives only after 15 minutes": brokenIf(
    (health, world) =>
      says(health, NOTHING_ARRIVES) && longestWait(health, world, () => true) < FAILOVER_AFTER_MS,
  ).exceptAfter("set the clock"),
};

function longestWait(
  { deliveries }: HealthAtEnd,
  world: World,
  isCounted: (delivery: Delivery) => boolean,
): number {
  const waiting = deliveries.filter((each) => isIn(NEW_OR_OPEN, each.state) && isCounted(each));
  const asked = waiting.map(({ applicationId }) => world.applications.get(applicationId));
  return Math.max(0, ...asked.map((each) => world.elapsed - (each?.waitsSince ?? world.elapsed)));
}
