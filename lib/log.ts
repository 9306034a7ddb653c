/**
 * The one log: JSON lines to stdout, or readable lines on a terminal. It holds numbers, ids, states and durations
 * only. It never holds what a visitor wrote, nor a provider's error object, which can contain that and our
 * credentials.
 */
import { pino } from "pino";
import { config } from "#lib/config.ts";

/**
 * The loggable part of an unexpected error: its name, code and stack. The message is left out, because it may quote
 * personal data.
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

/** Limit for a text in the log: a long request must not fill the disk. JSON escapes the rest. */
const LONGEST_TEXT = 500;

function cutText(text: string): string {
  if (text.length <= LONGEST_TEXT) return text;
  return `${text.slice(0, LONGEST_TEXT)}… (${text.length} characters)`;
}

const cut = (value: unknown) => (typeof value === "string" ? cutText(value) : value);

/** Limit of lines that wait for the reader of the log; further lines are dropped. */
const MOST_PENDING_BYTES = 1_048_576;

/** Pause until waiting lines are tried again, if no new line comes. */
const TRY_AGAIN_MS = 100;

/**
 * Lines are written at once, so that none is missing when the process ends. A stalled reader blocks neither the site
 * nor its exit: lines that the pipe does not accept wait.
 */
const stdout = pino.destination({
  // A thread has no `fd` here. Reading process.stdout makes a full pipe answer EAGAIN instead of blocking.
  dest: process.stdout.fd ?? 1,
  sync: true,
  maxLength: MOST_PENDING_BYTES,
  retryEAGAIN: () => false,
});
let waiting = false;
stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EAGAIN" || waiting) return;
  waiting = true;
  const tryAgain = () => {
    waiting = false;
    stdout.write("");
  };
  setTimeout(tryAgain, TRY_AGAIN_MS).unref();
});

/** A line of the log as a person reads it at a terminal: `09:30:12 warn  a sentence {"port":3000}`. */
export function readableLine(line: string): string {
  const { time, level, msg, ...fields }: Record<string, unknown> = JSON.parse(line);
  const clock = new Date(String(time)).toTimeString().slice(0, 8);
  const rest = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : "";
  // Replaces control characters, which a request may contain and a terminal obeys.
  const text = `${msg}${rest}`.replace(/\p{C}/gu, "\ufffd");
  return `${clock} ${String(level).padEnd(5)} ${text}\n`;
}

const terminal = { write: (line: string) => process.stdout.write(readableLine(line)) };
// Node would throw an error that nobody listens to: a terminal that closes must not end the site.
if (process.stdout.isTTY) process.stdout.on("error", () => undefined);

/** Log an unexpected error as `log.error({ err }, "a sentence")`, always with the sentence. */
export const log = pino(
  {
    level: config().logLevel,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: {
      level: (label) => ({ level: label }),
      log: (fields) =>
        Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, cut(value)])),
    },
    hooks: {
      logMethod(args, method) {
        const [fields, text, ...rest] = args;
        method.apply(this, [cut(fields), text && cutText(text), ...rest]);
      },
    },
    serializers: { err: faultOf },
  },
  process.stdout.isTTY ? terminal : stdout,
);
