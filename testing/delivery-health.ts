/** What health has to say, derived from what the engine was answered. */
import { MINUTE } from "#testing/delivery-deeds.ts";
import type { History } from "#testing/delivery-history.ts";

const STUCK_MS = 15 * MINUTE;

/**
 * Health names what a person has to mend, and nothing else.
 * @throws for what it leaves out, and for what it makes up.
 */
export async function expectHealth(engine: History): Promise<void> {
  const { ledger, now } = engine.world;
  const findings = await engine.findings();
  const expectSaid = (check: string, must: boolean, may = must) => {
    const said = findings.some((finding) => finding.check === check);
    if (must && !said) throw new Error(`health does not say "${check}"`);
    if (said && !may) throw new Error(`health says "${check}"`);
  };
  for (const carrier of ["sms", "mail"] as const) {
    const own = ledger.recipients[carrier];
    const faults = own.length > 0 ? ledger.faultsOf(carrier) : [];
    const isRefusal = faults.at(-1)?.end?.outcome === "refused";
    expectSaid(carrier, isRefusal || now - (faults[0]?.begunAt ?? now) >= STUCK_MS);
    const refusals = own.map((recipient) => ledger.refuses(recipient));
    const maybe = refusals.some((refuses) => refuses !== false);
    expectSaid(`${carrier}-recipient`, refusals.includes(true), maybe);
  }
  const jobs = engine.jobs().filter((job) => job.application_id !== null);
  const is = (state: string) => jobs.some((job) => job.state === state);
  expectSaid("given-up", is("given-up"));
  expectSaid("filed", is("filed"));
  expectSaid("stuck", isStuck(engine, jobs), mayBeStuck(engine, jobs));
}

type Jobs = ReturnType<History["jobs"]>;

const waitingFor = ({ askedAt, world }: History, job: Jobs[number]) =>
  job.state === "open" ? world.now - (askedAt.get(String(job.application_id)) ?? world.now) : 0;

/** Nothing gets through, one that no provider has waits, and it is not the caps that hold it back. */
function isStuck(engine: History, jobs: Jobs): boolean {
  const { ledger, now } = engine.world;
  const { arrived } = ledger;
  const isCapped = engine.settings.caps.hourly < 30 || arrived.length > 5;
  const takenAt = Math.max(ledger.takenAt.sms, ledger.takenAt.mail);
  if (isCapped || ledger.hasUnsettled || now - takenAt < STUCK_MS + MINUTE) return false;
  return jobs.some(
    (job) =>
      waitingFor(engine, job) >= STUCK_MS + MINUTE &&
      arrived.every(({ applications }) => !applications.includes(String(job.application_id))),
  );
}

function mayBeStuck(engine: History, jobs: Jobs): boolean {
  const { ledger, now } = engine.world;
  const isMailed = now - ledger.takenAt.mail < STUCK_MS;
  return !isMailed && jobs.some((job) => waitingFor(engine, job) >= STUCK_MS);
}
