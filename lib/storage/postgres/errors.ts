/** What PostgreSQL's error codes mean to the person who runs the site. */
import { StorageUnavailable, type UnavailableReason } from "#lib/storage/errors.ts";

interface Fault {
  reason: UnavailableReason;
  says: string;
}

const UNREACHABLE: Fault = {
  reason: "failing",
  says: "cannot be reached: check that it runs, its address in DATABASE_URL and the network",
};

/** By SQLSTATE, or by its first two digits, https://www.postgresql.org/docs/18/errcodes-appendix.html */
const FAULTS: Readonly<Record<string, Fault>> = {
  "08": UNREACHABLE,
  "08P01": {
    reason: "failing",
    says: "or the pooler in front of it does not understand what the site sends: see its log (PgBouncer works in session and in transaction mode)",
  },
  "25006": {
    reason: "read-only",
    says: "takes no writes, as a standby does: let DATABASE_URL name the primary",
  },
  "28": {
    reason: "failing",
    says: "refuses the login: check user and password in DATABASE_URL, and pg_hba.conf",
  },
  "3D000": {
    reason: "missing",
    says: "has no such database: create it, or correct its name in DATABASE_URL",
  },
  "42501": {
    reason: "read-only",
    says: "does not let the user in DATABASE_URL do this: make it the owner of the database",
  },
  "42P01": {
    reason: "missing",
    says: "has lost a table although the site is running: restore the last backup",
  },
  "42P07": {
    reason: "foreign",
    says: "has tables of another program under our names: give the site a database of its own",
  },
  "53100": { reason: "full", says: "has no room left on its disk: free some space" },
  "53300": {
    reason: "failing",
    says: "takes no more connections: raise max_connections, or stop what else uses it",
  },
  "53": { reason: "failing", says: "lacks memory or another resource: see its log" },
  "55P03": {
    reason: "locked",
    says: "kept a lock for too long: see which program holds it (pg_stat_activity)",
  },
  "57014": { reason: "locked", says: "took too long for a statement: see its load and its log" },
  "57": {
    reason: "failing",
    says: "is starting, stopping or was restarted: the site goes on by itself once it is back",
  },
  "58": {
    reason: "failing",
    says: "had an error of its operating system: check its disk and its log",
  },
  XX001: {
    reason: "corrupt",
    says: "reports damaged data: stop the site and restore the last backup",
  },
  XX002: { reason: "corrupt", says: "reports a damaged index: see its log, and REINDEX" },
};

/** What the driver says, without a code, about a connection that is not there or does not answer. */
const CONNECTION_WORDS =
  /^(Connection terminated|timeout exceeded|timeout expired|Query read timeout|Client (has encountered|was closed)|Cannot use a pool|driver has already|The server does not support SSL)/;

/**
 * Nothing was done, and repeated it succeeds: two transactions conflicted, or the server had ended the connection
 * because it was idle (`idle_session_timeout`).
 */
export function isRepeatable(error: unknown): boolean {
  return ["40001", "40P01", "57P05"].includes(codeOf(error) ?? "");
}

/** A fault of the server or of the way there → StorageUnavailable; anything else comes back as it is. */
export function asStorageFault(error: unknown, serverName: string): unknown {
  if (!(error instanceof Error) || error instanceof StorageUnavailable) return error;
  const code = codeOf(error) ?? "";
  const fault =
    FAULTS[code] ??
    FAULTS[/^[0-9A-Z]{5}$/.test(code) ? code.slice(0, 2) : ""] ??
    (error.message.startsWith("SASL") ? FAULTS["28"] : undefined) ??
    (isOfTheConnection(error) ? UNREACHABLE : undefined);
  if (!fault) return error;
  const figure = code && ` (${code})`;
  return new StorageUnavailable(
    `The PostgreSQL server ${serverName} ${fault.says}${figure}.`,
    fault.reason,
    { cause: error },
  );
}

function isOfTheConnection(error: Error): boolean {
  // Sockets, names and certificates: Node's own errors, whose codes are words.
  const code = codeOf(error) ?? "";
  const ofNode = /^(E[A-Z_]{3,}|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME)/.test(code);
  return ofNode || CONNECTION_WORDS.test(error.message) || error instanceof AggregateError;
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
