import { examineCarriers } from "#cli/doctor/carriers.ts";
import { examineClock } from "#cli/doctor/clock.ts";
import { examineDatabase } from "#cli/doctor/database.ts";
import { examineDataFolder } from "#cli/doctor/machine.ts";
import { examineRunning } from "#cli/doctor/running.ts";
import { examineSite } from "#cli/doctor/site.ts";
import { TWILIO_ORIGIN } from "#lib/channels/sms/twilio-api.ts";
import type { Config } from "#lib/config.ts";
import type { Finding } from "#lib/finding.ts";

/** Checks everything that a valid configuration names: first what keeps applications from the owner. */
export async function examine(config: Config): Promise<Finding[]> {
  const { finding: database, newestAt, urgent = [], rest = [] } = await examineDatabase(config);
  const provider = config.sms && (config.sms.apiUrl ?? TWILIO_ORIGIN);
  const isKnown = [database, ...urgent].some(({ level }) => level === "fault");
  const [running, clock, carriers] = await Promise.all([
    examineRunning(config, isKnown),
    examineClock({ provider, newestAt }),
    examineCarriers(config),
  ]);
  return [
    ...urgent,
    ...examineDataFolder(config),
    database,
    running,
    clock,
    ...rest,
    ...examineSite(config),
    ...carriers,
  ];
}
