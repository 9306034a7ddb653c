/** What SQLite's error codes mean to the person who runs the site. */
import { StorageUnavailable, type UnavailableReason } from "#lib/storage/errors.ts";

/** The part of the code that names the kind of fault; the rest says where in SQLite it happened. */
const PRIMARY_CODE = 0xff;

const FULL = {
  reason: "full",
  says: "has no room left on its disk: free some space",
} as const;

/** Primary result codes, and others where they say more. https://sqlite.org/rescode.html */
const FAULTS: Readonly<Record<number, { reason: UnavailableReason; says: string }>> = {
  5: {
    reason: "locked",
    says: "is locked by another process: close the program that has it open for writing",
  },
  6: { reason: "locked", says: "is locked: close the program that has it open for writing" },
  8: {
    reason: "read-only",
    says: "cannot be written: let the user that runs the site write to the file and to its folder",
  },
  10: {
    reason: "failing",
    says: "could not be read or written by the operating system: check the disk and its file system",
  },
  11: {
    reason: "corrupt",
    says: "is damaged: stop the site, keep the file aside and restore the last backup",
  },
  13: FULL,
  14: {
    reason: "failing",
    says: "cannot be opened: check that its folder exists and that the user that runs the site may use it",
  },
  26: {
    reason: "corrupt",
    says: "is not a database: stop the site, keep the file aside and restore the last backup",
  },
  // The index of the journal cannot grow.
  4874: FULL,
};

const FILE_FAULTS: Readonly<Record<string, UnavailableReason>> = {
  EACCES: "read-only",
  EPERM: "read-only",
  EROFS: "read-only",
  ENOSPC: "full",
  EDQUOT: "full",
};

/** A fault of the database or of its folder → StorageUnavailable; anything else comes back as it is. */
export function asStorageFault(error: unknown, fileName: string): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  if (error.code === "ERR_SQLITE_ERROR") {
    const code = "errcode" in error && typeof error.errcode === "number" ? error.errcode : 0;
    const fault = FAULTS[code] ?? FAULTS[code & PRIMARY_CODE];
    if (!fault) return error;
    return new StorageUnavailable(
      `The database ${fileName} ${fault.says} (SQLite error ${code}).`,
      fault.reason,
      { cause: error },
    );
  }
  if ("syscall" in error && typeof error.code === "string") {
    return new StorageUnavailable(
      `The folder of the database ${fileName} cannot be used (${error.code}): check DATA_DIR and DATABASE_URL, the folder's permissions and the disk.`,
      FILE_FAULTS[error.code] ?? "failing",
      { cause: error },
    );
  }
  return error;
}
