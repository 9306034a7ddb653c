/**
 * JSON lines to stdout, or readable lines on a terminal. The log never has the fields of a form, nor a provider's error
 * object, which can quote a visitor and contain credentials.
 */
import { constants, openSync } from "node:fs";
import { pino } from "pino";
import { config } from "#lib/config.ts";
import { errorCode } from "#lib/error-code.ts";

/** The error's message is left out, because it may quote personal data. */
function loggableError(error: unknown) {
  if (!(error instanceof Error)) return { name: typeof error };
  const frames = error.stack?.replace(error.message, "").match(/^\s+at .+$/gm) ?? [];
  const code = errorCode(error);
  return {
    name: error.name,
    ...(code && { code }),
    at: frames.slice(0, 6).map((frame) => frame.trim()),
  };
}

/** A longer string is cut, so that a long request does not fill the disk. */
const MAX_TEXT_LENGTH = 500;

function cutText(text: string): string {
  if (text.length <= MAX_TEXT_LENGTH) return text;
  return `${text.slice(0, MAX_TEXT_LENGTH)}… (${text.length} characters)`;
}

const cutIfText = (value: unknown) => (typeof value === "string" ? cutText(value) : value);

/** Limit of the lines that wait while the reader of the log stalls. Further lines are dropped. */
const MAX_PENDING_BYTES = 1_048_576;

/** A write to this descriptor fails with EAGAIN, instead of blocking, while its reader stalls or is paused. */
function openStdout(): number {
  // Reading process.stdout also makes a pipe non-blocking, which is wanted. In a worker thread stdout has no `fd`.
  const { isTTY, fd = 1 } = process.stdout;
  if (!isTTY) return fd;
  try {
    return openSync("/dev/stdout", constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return fd;
  }
}

/** Writes at once, so that no line is missing when the process ends. If the reader stalls, lines wait or are lost. */
const stdout = pino.destination({
  dest: openStdout(),
  sync: true,
  maxLength: MAX_PENDING_BYTES,
  retryEAGAIN: () => false,
  // Without a minimum length, pino would ignore `periodicFlush`, and waiting lines would stay.
  minLength: 1,
  periodicFlush: 500,
});
stdout.on("error", () => {
  // A reader that stalls or has gone does not end the process.
});

/** `09:30:12 warn  a sentence {"port":3000}` */
export function readableLine(line: string): string {
  const { time, level, msg, ...fields }: Record<string, unknown> = JSON.parse(line);
  const clock = new Date(String(time)).toTimeString().slice(0, 8);
  const rest = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : "";
  // A terminal would obey the control characters that a request may contain.
  const text = `${msg}${rest}`.replace(/\p{C}/gu, "\ufffd");
  return `${clock} ${String(level).padEnd(5)} ${text}\n`;
}

const terminal = { write: (line: string) => stdout.write(readableLine(line)) };

/** An unexpected error is logged as `log.error({ err }, "a sentence")`. */
export const log = pino(
  {
    level: config().logLevel,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: {
      level: (label) => ({ level: label }),
      log: (fields) =>
        Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, cutIfText(value)])),
    },
    hooks: {
      logMethod(args, method) {
        const [fields, text, ...rest] = args;
        method.apply(this, [cutIfText(fields), text && cutText(text), ...rest]);
      },
    },
    serializers: { err: loggableError },
  },
  process.stdout.isTTY ? terminal : stdout,
);
