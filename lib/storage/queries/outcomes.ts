import { sql } from "kysely";
import type { Outcome } from "#lib/storage/tables.ts";

/** These have reached the owner, as far as we know. */
export const REACHED = sql`('accepted', 'delivered')`;
export const isReached = (outcome: Outcome) => outcome === "accepted" || outcome === "delivered";
