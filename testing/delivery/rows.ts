/** Queries of a history's database, for its rules and for the time of its next pass. */
import { DAY, MINUTE } from "#lib/application/durations.ts";
import { type NoticeState, PENDING_MESSAGES } from "#lib/storage/outcomes.ts";
import type { Delivery } from "#testing/delivery/rules-of-deliveries.ts";
import type { World } from "#testing/delivery/world.ts";
import type { StoreInMemory } from "#testing/storage/store-in-memory.ts";

const sqlIn = (values: readonly string[]) => `in ('${values.join("', '")}')`;
const PENDING_MESSAGE_SQL = `messages.state ${sqlIn(PENDING_MESSAGES)}`;
/** SQL that is true for a pending message whose recipient is in the current settings. */
const pendingForRecipientsSql = ({ recipients }: World) =>
  `${PENDING_MESSAGE_SQL} and recipient ${sqlIn(Object.values(recipients).flat())}`;

export function listDeliveries(memory: StoreInMemory, world: World): Delivery[] {
  const rows = memory.runStatement(`select application_id, preferred_channel, notices.state,
      max(case when ${pendingForRecipientsSql(world)} then next_at end) as next_at
    from notices left join messages on notice_id = notices.id
    where kind = 'application' group by notices.id order by notices.id`);
  return rows.map((row) => ({
    applicationId: String(row.application_id),
    preferred: row.preferred_channel === "mail" ? "mail" : "sms",
    state: row.state as NoticeState,
    // While a conversation hangs, the time counts as now, because a message may be waiting for the slot.
    nextAt: world.hanging.length > 0 ? world.now : Number(row.next_at),
  }));
}

export function isAnythingDue(memory: StoreInMemory, world: World): boolean {
  const due = `select 1 from notices left join messages on notice_id = notices.id
    where notices.state = 'new' or ((next_at <= ? or next_at > ?) and ${pendingForRecipientsSql(world)}
    and (notices.state = 'open' or (notices.state = 'sent' and messages.state = 'accepted'))) limit 1`;
  return memory.runStatement(due, world.now, world.now + DAY + MINUTE).length > 0;
}

export function nextDueAt(memory: StoreInMemory, { now }: World): number {
  const next = `select min(next_at) as at from messages where next_at > ? and ${PENDING_MESSAGE_SQL}`;
  return Number(memory.runStatement(next, now)[0]?.at ?? Number.POSITIVE_INFINITY);
}

/** Names what the worker has left behind but may not leave; undefined if there is nothing. */
export function findLeftover(memory: StoreInMemory, world: World): string | undefined {
  const hanging = world.hanging.length;
  const [row = {}] =
    memory.runStatement(`select count(*) filter (where state = 'sending') as sending,
    count(*) filter (where provider_id = 'late') as late from messages`);
  // A conversation that hangs takes a slot, so other messages may have to wait.
  if (hanging === 0 && isAnythingDue(memory, world)) return "a message that is due";
  if (Number(row.sending) > hanging) return "a message without a conversation";
  return Number(row.late) > 0 ? "a change by a process without the right to send" : undefined;
}
