/** Next prints addresses of requests. The log escapes line breaks, so that no visitor can forge a log line. */
import { inspect, stripVTControlCharacters } from "node:util";
import { log } from "#lib/log.ts";

/** Next's progress reports become `debug`, because an operator cannot act on them. */
const LEVELS = [
  ["debug", "debug"],
  ["log", "debug"],
  ["info", "debug"],
  ["warn", "warn"],
  ["error", "error"],
  ["trace", "error"],
] as const;

/** An error has a field of its own in the log, without the error's message, which may quote a visitor. */
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
