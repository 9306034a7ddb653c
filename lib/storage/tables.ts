import type { Generated } from "kysely";
import type { AlarmSubject, Transport } from "#lib/application/delivery.ts";
import type { DeliveryState, MessageState } from "#lib/application/delivery-states.ts";
import type { Application } from "#lib/application/fields.ts";
import type { Channel, Suspicion } from "#lib/application/stored-application.ts";

/**
 * An application. Its ten fields are columns, not one JSON text: reading needs no parsing, the types hold
 * from the query to the caller, and an operator can read the table with any database tool.
 */
export interface ApplicationsTable {
  application_id: string;
  channel: Channel;
  submitted_at: number;
  content_hash: string;
  name: string;
  phone: string;
  gender: Application["gender"];
  age: number;
  region: string;
  preferred_date: string;
  day_type: Application["dayType"];
  time_slot: Application["timeSlot"];
  car_type: Application["carType"];
  message: string;
  /** Null when nothing speaks against it. */
  suspicion: Suspicion | null;
}

interface DeliveriesTable {
  id: Generated<number>;
  application_id: string;
  state: DeliveryState;
  attempts: number;
  last_error: string | null;
  /** Korean, for the owner. */
  last_advice: string | null;
  next_attempt_at: number;
  /** Set while the state is `leased`. */
  lease_until: number | null;
  /** Grows with every lease. */
  fence: number;
  /** What carried it in the end. */
  transport: Transport | null;
  /** Null while nothing fails. */
  failing_since: number | null;
  digest: string | null;
  repeats: Generated<number>;
  /** When it was delivered or given up. */
  settled_at: number | null;
}

/** Written before a message leaves, so that a process that dies leaves a doubt and not a gap. */
export interface MessagesTable {
  delivery_id: number;
  transport: Transport;
  recipient: string;
  state: MessageState;
  provider_id: string | null;
  begun_at: number;
  /** How many may have gone out. */
  copies: number;
  /** Null where nothing was or will be charged; counted for the caps. */
  charged_at: number | null;
}

/** A channel that does not work; no row while it does. */
interface ChannelFaultsTable {
  channel: Channel;
  since: number;
  seen_at: number;
  error: string;
  advice: string;
  refused: number;
}

/** A number or address of the owner's that does not get its messages; no row while it does. */
interface RecipientFaultsTable {
  channel: Channel;
  recipient: string;
  since: number;
  error: string;
  advice: string;
}

/** Outlives the fault, so that one that comes and goes is not told about every time. */
interface AlarmsTable {
  subject: AlarmSubject;
  /** When the last one went out; null when none has. */
  told_at: number | null;
  /** Not before this. */
  due_at: number;
  /** How many text messages the last one cost, and when: counted for the caps. */
  texts: number;
  charged_at: number | null;
}

/** One row for each Monday on which the site ran. */
export interface WeeklySummariesTable {
  /** `2026-11-23` */
  monday: string;
  covers_from: number;
  covers_until: number;
  /** `sending`: noted before it leaves. `unknown`: it may have gone out. */
  state: "waiting" | "sending" | "sent" | "unknown";
  transport: Transport | null;
  attempts: number;
  next_attempt_at: number;
  lease_until: number | null;
  fence: number;
  /** How many text messages it is, and when they were charged; counted for the caps. */
  texts: number;
  charged_at: number | null;
  settled_at: number | null;
}

/** Its application may be deleted before the key expires, so that it holds the first answer itself. */
interface IdempotencyKeysTable {
  idempotency_key: string;
  content_hash: string;
  application_id: string;
  submitted_at: number;
  created_at: number;
}

/** What the program notes about itself, the newest of each kind. See queries/notes.ts. */
interface NotesTable {
  name: string;
  at: number;
  value: string;
}

/** One row: tells this database from every other one. */
interface IdentityTable {
  id: string;
}

/** Counters of lib/intake, written by rate-limits.ts, on PostgreSQL alone. */
interface RateLimitsTable {
  /** A keyed hash. */
  key: string;
  points: number;
  /** When its window ends. */
  expire: number | null;
}

/** One row. */
interface SchemaVersionTable {
  version: number;
}

/** All columns that hold a time hold ms since the epoch. */
export interface Tables {
  applications: ApplicationsTable;
  deliveries: DeliveriesTable;
  messages: MessagesTable;
  channel_faults: ChannelFaultsTable;
  recipient_faults: RecipientFaultsTable;
  alarms: AlarmsTable;
  weekly_summaries: WeeklySummariesTable;
  idempotency_keys: IdempotencyKeysTable;
  notes: NotesTable;
  identity: IdentityTable;
  rate_limits: RateLimitsTable;
  schema_version: SchemaVersionTable;
}
