/** The findings that health must have, derived from the answers that the engine got. */
import { MINUTE } from "#lib/application/durations.ts";
import { CHANNEL_NAMES } from "#lib/channels/names.ts";
import { CHANNEL_WORDS } from "#lib/channels/words.ts";
import { withSubjectParticle } from "#lib/content/copy.ts";
import { FAILOVER_AFTER, noDeliveryLimit } from "#lib/delivery/retry.ts";
import type { DeliveryHistory } from "#testing/delivery/history.ts";

const STUCK_MS = FAILOVER_AFTER;

/** Expects health to name each fault that a person has to mend, and nothing else. */
export async function expectHealth(engine: DeliveryHistory): Promise<void> {
  const { sendLog, now } = engine.world;
  const findings = await engine.findings();
  const expectSaid = (words: string, must: boolean, may = must) => {
    const said = findings.some(({ sentence }) => sentence.includes(words));
    if (must && !said) throw new Error(`health does not say "${words}"`);
    if (said && !may) throw new Error(`health says "${words}"`);
  };
  for (const channel of CHANNEL_NAMES) {
    const own = sendLog.recipients[channel];
    const faults = own.length > 0 ? sendLog.faultsOf(channel) : [];
    const isRefusal = faults.at(-1)?.result?.outcome === "rejected";
    expectSaid(
      `${CHANNEL_WORDS[channel]} 발송이 `,
      isRefusal || now - (faults[0]?.begunAt ?? now) >= STUCK_MS,
    );
    const refusals = own.map((recipient) => sendLog.refuses(recipient));
    const maybe = refusals.some((refuses) => refuses !== false);
    const isChannels = faults.some(({ result }) => result?.fault?.about !== "channel");
    expectSaid(
      `${withSubjectParticle(CHANNEL_WORDS[channel])} 전달되지`,
      !isChannels && refusals.includes(true),
      maybe,
    );
  }
  const jobs = engine.jobs().filter((job) => job.kind === "application");
  const is = (state: string) => jobs.some((job) => job.state === state);
  expectSaid("직접 연락이 필요한", is("given-up"));
  expectSaid("파일로 보관한", is("filed"));
  expectSaid("아무것도 전달되지", isStuck(engine, jobs), isPossiblyStuck(engine, jobs));
}

type Jobs = ReturnType<DeliveryHistory["jobs"]>;

const waitingFor = ({ askedAt, world }: DeliveryHistory, job: Jobs[number]) =>
  job.state === "open" ? world.now - (askedAt.get(String(job.application_id)) ?? world.now) : 0;

/** True if an application waits, no message has been accepted for long, and the caps are not the reason. */
function isStuck(engine: DeliveryHistory, jobs: Jobs): boolean {
  const { sendLog, now } = engine.world;
  const { recipients } = sendLog;
  const set = CHANNEL_NAMES.filter((name) => recipients[name].length > 0);
  const must = noDeliveryLimit(set.length) + MINUTE;
  const { arrived } = sendLog;
  const isCapped = engine.settings.caps.hourly < 30 || arrived.length > 5;
  const takenAt = Math.max(...Object.values(sendLog.takenAt));
  if (isCapped || sendLog.hasUnsettled || now - takenAt < must) return false;
  // A suspicious application goes out by SMS only if mail is not configured, and gets only a share of the cap.
  const mayWait = (id: string) =>
    recipients.mail.length === 0 && engine.applications.get(id)?.suspicious === true;
  return jobs.some(
    (job) =>
      waitingFor(engine, job) >= must &&
      !mayWait(String(job.application_id)) &&
      arrived.every(({ applications }) => !applications.includes(String(job.application_id))),
  );
}

function isPossiblyStuck(engine: DeliveryHistory, jobs: Jobs): boolean {
  const { sendLog, now } = engine.world;
  const isMailed = now - sendLog.takenAt.mail < STUCK_MS;
  return !isMailed && jobs.some((job) => waitingFor(engine, job) >= STUCK_MS);
}
