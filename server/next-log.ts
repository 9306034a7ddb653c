/**
 * Next writes to the console, and what it writes quotes requests: a line break in an address would begin a line
 * of the log. Here each of its messages becomes one line of ours, escaped and cut.
 */
import { inspect, stripVTControlCharacters } from "node:util";
import { log } from "#lib/log.ts";

/** Next's reports on its own progress go to `debug`: an operator cannot act on them. */
const LEVELS = [
  ["debug", "debug"],
  ["log", "debug"],
  ["info", "debug"],
  ["warn", "warn"],
  ["error", "error"],
  ["trace", "error"],
] as const;

/** An error is logged like any other, without its message, which may quote a visitor. */
function textOf(part: unknown): string {
  if (part instanceof Error) return "";
  return typeof part === "string" ? stripVTControlCharacters(part) : inspect(part, { depth: 1 });
}

/** Redirects everything that is written to the console into the log. */
export function redirectConsoleToLog(): void {
  for (const [method, level] of LEVELS) {
    console[method] = (...parts: unknown[]) => {
      const err = parts.find((part) => part instanceof Error);
      const text = parts.map(textOf).join(" ").trim();
      log[level]({ from: "next", ...(err && { err }) }, text || "an error");
    };
  }
}
