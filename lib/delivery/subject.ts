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

/** The carriers that stand in for another one. */
const othersThan = (carrier: Carrier) => CARRIER_NAMES.filter((name) => name !== carrier);

/** The carriers that a job may go by, were they configured, the first choice first. */
function wishedOrder(job: Routed, carriers: Carriers): readonly Carrier[] {
  const { kind, name } = subjectOf(job);
  switch (kind) {
    case "application":
      // What looks automated costs a text only where nothing else is there to carry it.
      return job.applications[0]?.suspicion !== undefined && carriers.mail
        ? ["mail"]
        : [job.first, ...othersThan(job.first)];
    case "digest":
      return ["mail"];
    case "witness":
      return ["sms"];
    case "alarm":
      return [job.first, ...othersThan(job.first)].filter((carrier) => carrier !== name);
    default:
      return ["mail", ...othersThan("mail")];
  }
}

/** Who gets a job by which carrier, as the settings are now; the number or address that an alarm is about gets none. */
export function routesOf(job: Routed, carriers: Carriers) {
  const recipients: Partial<Record<Carrier, string[]>> = {};
  for (const carrier of CARRIER_NAMES) {
    const own = new Set(carriers[carrier]?.recipients);
    recipients[carrier] = [...own].filter((to) => job.subject !== `alarm:${carrier}:${to}`);
  }
  const order = wishedOrder(job, carriers).filter((carrier) => recipients[carrier]?.length);
  return { order, recipients };
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
