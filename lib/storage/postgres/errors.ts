import { errorCode } from "#lib/error-code.ts";
import { StorageUnavailable, storageAdvice, type UnavailableReason } from "#lib/storage/errors.ts";

/** SQLSTATE codes, and codes of Node's TLS. https://www.postgresql.org/docs/18/errcodes-appendix.html */
const REASON_BY_CODE: Readonly<Record<string, UnavailableReason>> = {
  "25006": "read-only",
  "42501": "read-only",
  "42P01": "missing",
  "42P07": "foreign",
  "53100": "full",
  "55P03": "locked",
  "57014": "locked",
  CERT_HAS_EXPIRED: "wrong-certificate",
  CERT_NOT_YET_VALID: "wrong-certificate",
  ERR_TLS_CERT_ALTNAME_INVALID: "wrong-certificate",
  XX001: "corrupt",
  XX002: "corrupt",
};

/** Node's codes for an untrusted certificate, such as one from an unknown authority. UNSPECIFIED: a weak key. */
const UNTRUSTED_CERTIFICATE_PATTERN =
  /SELF_SIGNED_CERT|^UNABLE_TO_(GET_ISSUER|VERIFY)|^CERT_|^INVALID_|^UNSPECIFIED$/;

/** SQLSTATE classes of faults in one statement: data, integrity, syntax, raised by a trigger. */
const BAD_STATEMENT_PATTERN = /^(22|23|42|P0)/;
/** SQLSTATE classes whose messages can quote stored values. */
const QUOTING_CLASSES_PATTERN = /^(22|23|P0)/;
const MAX_ERROR_CHARACTERS = 300;

/** Codes of conflicts between transactions. A repeated transaction can succeed. */
const CONFLICT_CODES = ["40001", "40P01"];
/** Codes of ended connections. A server, a pooler or a firewall may close an idle connection. */
const ENDED_CODES = ["57P01", "57P02", "57P05", "08003", "08006", "ECONNRESET", "EPIPE"];
const ENDED_WORDS_PATTERN =
  /^(Connection terminated unexpectedly|Client (has encountered|was closed))/;

/**
 * `isWorkDone`: only the commit was missing. If the connection ended then, the commit may have succeeded, so the work
 * must not be repeated. A conflict never commits.
 */
export function isRetryableError(error: unknown, isWorkDone: boolean): boolean {
  const cause = error instanceof StorageUnavailable ? error.cause : error;
  const code = errorCode(cause);
  const isEnded =
    ENDED_CODES.includes(code) ||
    (cause instanceof Error && ENDED_WORDS_PATTERN.test(cause.message));
  return CONFLICT_CODES.includes(code) || (isEnded && !isWorkDone);
}

export function translatePostgresError(error: unknown, serverName: string): StorageUnavailable {
  if (error instanceof StorageUnavailable) return error;
  const code = errorCode(error);
  const otherwise = UNTRUSTED_CERTIFICATE_PATTERN.test(code) ? "untrusted" : "failing";
  const reason =
    REASON_BY_CODE[code] ?? (BAD_STATEMENT_PATTERN.test(code) ? "bad-statement" : otherwise);
  const message =
    error instanceof Error && !QUOTING_CLASSES_PATTERN.test(code) ? error.message : "";
  const said = [code, message]
    .filter(Boolean)
    .join(": ")
    .replace(/\p{C}+/gu, " ");
  const words = said.slice(0, MAX_ERROR_CHARACTERS) || "without words";
  const sentence = `${storageAdvice(reason, true)} (${serverName}: ${words})`;
  return new StorageUnavailable(sentence, reason, error);
}
