/**
 * Next writes to the console, and what it writes quotes requests: a line break in an address became a line of
 * the log. Here each of its messages becomes one line of ours, escaped and cut.
 */
import { inspect, stripVTControlCharacters } from "node:util";
import { log } from "#lib/log.ts";

/** What Next tells of its own well-being is nothing that an operator can act on. */
const LEVELS = [
  ["debug", "debug"],
  ["log", "debug"],
  ["info", "debug"],
  ["warn", "warn"],
  ["error", "error"],
  ["trace", "error"],
] as const;

/** Of an error only what the log says of any: its message may quote what a visitor wrote. */
function textOf(part: unknown): string {
  if (part instanceof Error) return "";
  return typeof part === "string" ? stripVTControlCharacters(part) : inspect(part, { depth: 1 });
}

/** From now on everything that is written to the console goes into the log. */
export function logConsole(): void {
  for (const [method, level] of LEVELS) {
    console[method] = (...parts: unknown[]) => {
      const err = parts.find((part) => part instanceof Error);
      const text = parts.map(textOf).join(" ").trim();
      log[level]({ from: "next", ...(err && { err }) }, text || "an error");
    };
  }
}
