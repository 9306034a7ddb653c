/**
 * The one log: JSON lines to stdout. Numbers, ids, states and durations only; never what a visitor
 * wrote, and never a provider's error object, which can carry it together with our credentials.
 */
import { pino } from "pino";
import { config } from "#lib/config.ts";

/**
 * What may be said about an error that nobody expected: its name, its code and where it came from.
 * Not its message, which may quote the data that it stumbled over.
 */
function faultOf(error: unknown) {
  if (!(error instanceof Error)) return { name: typeof error };
  const frames = error.stack?.replace(error.message, "").match(/^\s+at .+$/gm) ?? [];
  return {
    name: error.name,
    ...("code" in error && typeof error.code === "string" ? { code: error.code } : {}),
    at: frames.slice(0, 6).map((frame) => frame.trim()),
  };
}

/** Log an unexpected error as `log.error({ err }, "a sentence")`, always with the sentence. */
export const log = pino({
  level: config().logLevel,
  base: null,
  timestamp: () => `,"time":"${new Date().toISOString()}"`,
  formatters: { level: (label) => ({ level: label }) },
  serializers: { err: faultOf },
});
