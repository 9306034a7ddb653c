import { StorageUnavailable, storageFault } from "#lib/storage/errors.ts";

/** By SQLSTATE, https://www.postgresql.org/docs/18/errcodes-appendix.html */
const REASONS: Readonly<Record<string, Parameters<typeof storageFault>[1]>> = {
  "25006": "read-only",
  "42501": "read-only",
  "42P01": "missing",
  "42P07": "foreign",
  "53100": "full",
  "55P03": "locked",
  "57014": "locked",
  XX001: "corrupt",
  XX002: "corrupt",
};

/** Connection, login, name of the database, resources, shutting down, operating system; Node's sockets and certificates. */
const OUT =
  /^((08|28|3D|53|57|58)[0-9A-Z]{3}|E[A-Z_]{3,}|(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME).*)$/;

/** What the driver says, without a code, about a connection that is not there or does not answer. */
const CONNECTION_WORDS =
  /^(Connection terminated|timeout exceeded|timeout expired|Query read timeout|Client (has encountered|was closed)|Cannot use a pool|driver has already|The server does not support SSL|SASL)/;

/**
 * Nothing was done, and repeated it succeeds: two transactions conflicted, or the connection had ended while it was
 * idle. That the server says (`idle_session_timeout`), or the first word on it finds out.
 */
export function isRepeatable(error: unknown, isBegun: boolean): boolean {
  const code = codeOf(error);
  return ["40001", "40P01", "57P05"].includes(code) || (!isBegun && isEnded(error, code));
}

const isEnded = (error: unknown, code: string) =>
  ["ECONNRESET", "EPIPE"].includes(code) ||
  (error instanceof Error && error.message === "Connection terminated unexpectedly");

/** A fault of the server or of the way there → StorageUnavailable; anything else comes back as it is. */
export function asStorageFault(error: unknown, serverName: string): unknown {
  if (!(error instanceof Error) || error instanceof StorageUnavailable) return error;
  const code = codeOf(error);
  const isOut =
    OUT.test(code) || CONNECTION_WORDS.test(error.message) || error instanceof AggregateError;
  const reason = REASONS[code] ?? (isOut ? "failing" : undefined);
  if (!reason) return error;
  // Of these faults the server tells names and addresses, nothing that is stored.
  const said = [code, error.message].filter(Boolean).join(": ");
  return storageFault(`The PostgreSQL server ${serverName}`, reason, said, error);
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}
