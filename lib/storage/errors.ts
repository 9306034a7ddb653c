/** Why the store is out: `locked`, `full` and `hanging` pass while the connection stays good, the others need a new one. */
export type UnavailableReason =
  | keyof typeof CURES
  | "too-old"
  | "newer-schema"
  | "hanging"
  | "closed";

/** What a database or a server says of itself, and what the operator has to do; the owner's words: cli/database.ts. */
const CURES = {
  locked: "is locked: see which program holds the lock, and close it",
  full: "has no room left on its disk: free some space",
  "read-only":
    "cannot be written: let the site's user write to it; a standby takes nothing, DATABASE_URL names the primary",
  corrupt: "is damaged: stop the site, keep the file aside and restore the last backup",
  missing: "has lost its tables: restore the last backup",
  foreign:
    "is another program's, and nothing was written to it: check DATA_DIR and DATABASE_URL, or give the site one of its own",
  failing:
    "cannot be used: check DATA_DIR, DATABASE_URL, the disk or the server's log; the site goes on by itself once it can",
};

/** The store cannot take or give anything now. The message is one sentence or two for the operator: what is wrong, what to do. */
export class StorageUnavailable extends Error {
  override name = "StorageUnavailable";
  readonly reason: UnavailableReason;

  constructor(message: string, reason: UnavailableReason, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }

  /** By name: Next's bundle and the server each have their own copy of this class, but share one store. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === "StorageUnavailable";
  }
}

/** A fault with its usual cure. `database`: its name, at the beginning of a sentence; `figure`: what it said. */
export function storageFault(
  database: string,
  reason: keyof typeof CURES,
  figure: string,
  cause?: unknown,
): StorageUnavailable {
  return new StorageUnavailable(`${database} ${CURES[reason]} (${figure}).`, reason, { cause });
}

/** The move to PostgreSQL cannot begin. The message is for the operator: what is wrong, what to do. */
export class MoveRefused extends Error {
  override name = "MoveRefused";
}
