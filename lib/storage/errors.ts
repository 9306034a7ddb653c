/** Why the store is out: `locked`, `full` and `hanging` pass while the connection stays good, the others need a new one. */
export type UnavailableReason =
  | "locked"
  | "full"
  | "read-only"
  | "corrupt"
  | "missing"
  | "foreign"
  | "too-old"
  | "newer-schema"
  | "hanging"
  | "closed"
  | "failing";

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

/** The move to PostgreSQL cannot begin. The message is for the operator: what is wrong, what to do. */
export class MoveRefused extends Error {
  override name = "MoveRefused";
}
