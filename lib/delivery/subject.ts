/** What a job is about: who may carry it, and what the owner reads. */
import type { OwnerMessage } from "#lib/channels/carrier.ts";
import type { Carriers } from "#lib/channels/carriers.ts";
import type { Action } from "#lib/delivery/decide.ts";
import { summaryOf, type WeekNeeds } from "#lib/delivery/weekly.ts";
import type { Job } from "#lib/storage/queries/jobs.ts";
import { CARRIER_NAMES, type Carrier } from "#lib/storage/tables.ts";

/** `alarm:sms:+8210…` → `alarm`, and what the alarm is about. */
export function subjectOf({ subject }: Pick<Job, "subject">) {
  const [kind = "", ...rest] = subject.split(":");
  return { kind, name: rest.join(":") };
}

type Routed = Pick<Job, "subject" | "first" | "applications">;

/** Who gets a job by which carrier, as the settings are now; the number or address that an alarm is about gets none. */
export function routesOf(job: Routed, carriers: Carriers) {
  const { subject, first } = job;
  const recipients: Partial<Record<Carrier, string[]>> = {};
  for (const carrier of CARRIER_NAMES) {
    const own = new Set(carriers[carrier]?.recipients);
    recipients[carrier] = [...own].filter((to) => subject !== `alarm:${carrier}:${to}`);
  }
  const others = CARRIER_NAMES.filter((carrier) => carrier !== first);
  const order = [first, ...(hasOneWay(job, carriers) ? [] : others)].filter(
    (carrier) => subject !== `alarm:${carrier}` && recipients[carrier]?.length,
  );
  return { order, recipients };
}

/** What looks automated costs a text only where nothing else is there to carry it. */
function hasOneWay(job: Routed, carriers: Carriers): boolean {
  if (job.applications[0]?.suspicion !== undefined && carriers.mail) return true;
  return ["digest", "witness"].includes(subjectOf(job).kind);
}

/** What the owner reads; undefined when there is nothing left to tell. */
export async function messageOf(
  job: Job,
  { insteadOf, whole }: Pick<Extract<Action, { do: "send" }>, "insteadOf" | "whole">,
  needs: WeekNeeds & { carriers: Carriers },
): Promise<OwnerMessage | undefined> {
  const { kind, name } = subjectOf(job);
  const [application] = job.applications;
  switch (kind) {
    case "application": {
      if (application === undefined) return undefined;
      const wished = application.suspicion ? "mail" : application.route;
      const missing = needs.carriers[wished] || whole ? undefined : wished;
      return { kind, application, insteadOf: insteadOf ?? missing, whole };
    }
    case "digest":
      return application && { kind, id: name, applications: job.applications };
    case "alarm":
      return { kind, about: name, id: `${job.id}-${job.sendsAfter}`, text: job.payload ?? "" };
    case "witness":
      return { kind, summary: await summaryOf(job, needs) };
    default:
      return { kind: "weekly", summary: await summaryOf(job, needs), insteadOf };
  }
}
