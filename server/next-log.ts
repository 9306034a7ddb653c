/**
 * Turns each console message of Next into one escaped and shortened line of our log. Next quotes requests: a line break
 * in an address would otherwise begin a new line of the log.
 */
import { inspect, stripVTControlCharacters } from "node:util";
import { log } from "#lib/log.ts";

/** Progress reports of Next go to `debug`: an operator cannot act on them. */
const LEVELS = [
  ["debug", "debug"],
  ["log", "debug"],
  ["info", "debug"],
  ["warn", "warn"],
  ["error", "error"],
  ["trace", "error"],
] as const;

/** An error has its own field in the log; its message may quote a visitor, and is dropped. */
function textOf(part: unknown): string {
  if (part instanceof Error) return "";
  return typeof part === "string" ? stripVTControlCharacters(part) : inspect(part, { depth: 1 });
}

export function redirectConsoleToLog(): void {
  for (const [method, level] of LEVELS) {
    console[method] = (...parts: unknown[]) => {
      const err = parts.find((part) => part instanceof Error);
      const text = parts.map(textOf).join(" ").trim();
      log[level]({ from: "next", ...(err && { err }) }, text || "an error");
    };
  }
}
