import { fileError, type UnavailableReason } from "#lib/storage/errors.ts";

/** The other bits of a result code tell where in SQLite the fault occurred. */
const PRIMARY_CODE_MASK = 0xff;

/** Every other result code is `failing`. https://sqlite.org/rescode.html */
const REASON_BY_CODE: Readonly<Record<number, UnavailableReason>> = {
  5: "locked",
  6: "locked",
  8: "read-only",
  11: "corrupt",
  13: "full",
  // The index of the journal is locked.
  15: "locked",
  18: "bad-statement",
  19: "bad-statement",
  20: "bad-statement",
  25: "bad-statement",
  26: "corrupt",
  // Refused by the file system: IOERR_UNLOCK, _RDLOCK, _CHECKRESERVEDLOCK, _LOCK, _SHMOPEN, _SHMLOCK, _SHMMAP.
  2058: "locked",
  2314: "locked",
  3594: "locked",
  3850: "locked",
  4618: "locked",
  5130: "locked",
  5386: "locked",
  // The index of the journal cannot grow.
  4874: "full",
};

const REASON_BY_ERRNO: Readonly<Record<string, UnavailableReason>> = {
  EACCES: "read-only",
  EPERM: "read-only",
  EROFS: "read-only",
  ENOSPC: "full",
  EDQUOT: "full",
};

/** An error that comes neither from SQLite nor from the file system is returned unchanged. */
export function translateSqliteError(error: unknown, fileName: string): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  const code = String(error.code);
  if ("syscall" in error)
    return fileError(fileName, REASON_BY_ERRNO[code] ?? "failing", code, error);
  if (code !== "ERR_SQLITE_ERROR" && code !== "ERR_INVALID_STATE") return error;
  const result = "errcode" in error && typeof error.errcode === "number" ? error.errcode : 0;
  const reason = REASON_BY_CODE[result] ?? REASON_BY_CODE[result & PRIMARY_CODE_MASK] ?? "failing";
  return fileError(fileName, reason, `SQLite error ${result}: ${error.message}`, error);
}
