/** Where one recipient stands with a message, from the sends that were begun. Pure. */
import {
  elapsed,
  MOST_COPIES,
  mayRepeatMail,
  nextLookAt,
  REFUSED_FOR_MS,
  repeatMailAt,
} from "#lib/delivery/retry.ts";
import type { Send } from "#lib/storage/queries/sends.ts";
import type { Carrier } from "#lib/storage/tables.ts";

/**
 * `new`: nothing was begun. `has`: it is there, or a provider has it. `open`: it may be sent now. `waits`: not before
 * `until`. `refused`: the same, and another carrier need not wait. `spent`: never again.
 */
export type Standing =
  | { is: "new" | "has" | "open" | "spent" }
  | { is: "waits" | "refused"; until: number };

/** What is known beside the sends. */
export interface Around {
  sends: readonly Send[];
  now: number;
  /** When the next try is due; `due`: one was, when this look at the job began. */
  retryAt: number;
  due: boolean;
  /** No more tries. */
  exhausted: boolean;
  /** False for an alarm and a summary: one that may be out counts as told. */
  mayRepeat: boolean;
}

export function standingOf(around: Around, carrier: Carrier, recipient: string): Standing {
  const own = around.sends.filter(
    (send) => send.carrier === carrier && send.recipient === recipient,
  );
  const last = own.at(-1);
  if (last === undefined) return { is: "new" };
  const spent = own.filter(mayBeOut).length >= MOST_COPIES;
  switch (last.outcome) {
    case "accepted":
    case "delivered":
      return { is: "has" };
    case "leaving":
    case "unknown":
      return around.mayRepeat ? inDoubt(last, spent, around) : { is: "has" };
    case "unsent":
    case "refused":
      return spent || around.exhausted ? { is: "spent" } : afterFailure(last, around);
  }
}

/** Counted as a copy: what left, may have left, or was paid for. */
const mayBeOut = ({ segments, outcome }: Send) =>
  segments > 0 || (outcome !== "unsent" && outcome !== "refused");

function inDoubt(last: Send, spent: boolean, { now, retryAt, exhausted }: Around): Standing {
  if (last.carrier === "sms") {
    return exhausted ? { is: "spent" } : { is: "waits", until: nextLookAt(last, now) ?? retryAt };
  }
  if (spent) return { is: "spent" };
  return mayRepeatMail(last, now)
    ? { is: "open" }
    : { is: "waits", until: repeatMailAt(last, now) };
}

function afterFailure(last: Send, { now, retryAt, due }: Around): Standing {
  const told = last.notBefore !== undefined && last.notBefore > now;
  if (last.mended && last.about === "channel" && !told) return { is: "open" };
  if (last.outcome === "unsent") return due ? { is: "open" } : { is: "waits", until: retryAt };
  const endedAt = Math.min(last.endedAt ?? last.begunAt, now);
  return due && elapsed(last.endedAt ?? last.begunAt, now) >= REFUSED_FOR_MS
    ? { is: "open" }
    : { is: "refused", until: Math.max(retryAt, endedAt + REFUSED_FOR_MS) };
}
