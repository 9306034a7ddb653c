import { storageFault } from "#lib/storage/errors.ts";

type Reason = Parameters<typeof storageFault>[1];

/** The part of the code that names the kind of fault; the rest says where in SQLite it happened. */
const PRIMARY_CODE = 0xff;

/** Primary result codes, and others where they say more. https://sqlite.org/rescode.html */
const REASONS: Readonly<Record<number, Reason>> = {
  5: "locked",
  6: "locked",
  8: "read-only",
  10: "failing",
  11: "corrupt",
  13: "full",
  14: "failing",
  26: "corrupt",
  // The index of the journal cannot grow.
  4874: "full",
};

const FILE_REASONS: Readonly<Record<string, Reason>> = {
  EACCES: "read-only",
  EPERM: "read-only",
  EROFS: "read-only",
  ENOSPC: "full",
  EDQUOT: "full",
};

/** A fault of the database or of its folder → StorageUnavailable; anything else comes back as it is. */
export function asStorageFault(error: unknown, fileName: string): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  const database = `The database ${fileName}`;
  if (error.code === "ERR_SQLITE_ERROR") {
    const code = "errcode" in error && typeof error.errcode === "number" ? error.errcode : 0;
    const reason = REASONS[code] ?? REASONS[code & PRIMARY_CODE];
    return reason ? storageFault(database, reason, `SQLite error ${code}`, error) : error;
  }
  if (!("syscall" in error)) return error;
  const code = String(error.code);
  return storageFault(database, FILE_REASONS[code] ?? "failing", code, error);
}
