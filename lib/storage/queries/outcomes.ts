import { sql } from "kysely";
import type { AttemptOutcome } from "#lib/storage/tables.ts";

/** These have reached the owner, as far as we know. */
export const REACHED = sql`('accepted', 'delivered')`;
export const isReached = (outcome: AttemptOutcome) =>
  outcome === "accepted" || outcome === "delivered";
