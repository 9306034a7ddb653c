/**
 * Next writes to the console, and what it writes quotes requests: a line break in an address became a line of
 * the log. Here each of its messages becomes one line of ours, escaped and cut.
 */
import { inspect } from "node:util";
import { log } from "#lib/log.ts";

const LEVELS = {
  debug: "debug",
  log: "info",
  info: "info",
  warn: "warn",
  error: "error",
  trace: "error",
} as const;

/** Of an error only what the log says of any: its message may quote what a visitor wrote. */
function textOf(part: unknown): string {
  if (part instanceof Error) return "";
  return typeof part === "string" ? part : inspect(part, { depth: 1 });
}

/** From now on everything that is written to the console goes into the log. */
export function logConsole(target: Partial<Record<keyof typeof LEVELS, unknown>> = console): void {
  for (const method of ["debug", "log", "info", "warn", "error", "trace"] as const) {
    target[method] = (...parts: unknown[]) => {
      const err = parts.find((part) => part instanceof Error);
      const text = parts.map(textOf).join(" ").trim();
      log[LEVELS[method]]({ from: "next", ...(err && { err }) }, text || "an error");
    };
  }
}
