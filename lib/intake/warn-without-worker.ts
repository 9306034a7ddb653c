import { log } from "#lib/log.ts";
import { processGlobals } from "#lib/process-globals.ts";

/** Says, once, when this process takes applications but will not deliver them: the server sets its worker up before Next starts. */
export function warnWithoutWorker(): void {
  if (processGlobals.worker) return;
  log.warn(
    "Applications are stored, but nothing is being delivered: this is Next's own server. Stop it and run npm start, which delivers what has waited too.",
  );
}
