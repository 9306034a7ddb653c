import { examineChannels } from "#cli/doctor/channels.ts";
import { examineClock } from "#cli/doctor/clock.ts";
import { examineDatabase } from "#cli/doctor/database.ts";
import { examineDataFolder } from "#cli/doctor/machine.ts";
import { examineNotes } from "#cli/doctor/notes.ts";
import { examineSite } from "#cli/doctor/site.ts";
import { examineWeekly } from "#cli/doctor/weekly.ts";
import { TWILIO_ORIGIN } from "#lib/channels/sms/twilio-api.ts";
import type { Config } from "#lib/config.ts";
import type { Finding } from "#lib/finding.ts";

/** Checks everything that a valid configuration names, in the order in which one would fix it. */
export async function examine(config: Config): Promise<Finding[]> {
  const [storage, channels] = await Promise.all([examineStorage(config), examineChannels(config)]);
  return [...storage, ...examineSite(config), ...channels];
}

async function examineStorage(config: Config): Promise<Finding[]> {
  const folder = examineDataFolder(config);
  const { finding, newestAt, isOpen } = await examineDatabase(config);
  const provider = config.sms && (config.sms.apiUrl ?? TWILIO_ORIGIN);
  const clock = await examineClock({ provider, newestAt });
  const told = isOpen
    ? [await examineWeekly(config), ...(await examineNotes(config, Date.now()))]
    : [];
  return [...folder, finding, clock, ...told];
}
