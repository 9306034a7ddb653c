/** The statements that every application needs, each made once; see prepared.ts. */
import type { Application } from "#lib/application/fields.ts";
import type { Channel, Suspicion } from "#lib/application/stored-application.ts";
import { prepared } from "#lib/storage/prepared.ts";

interface Stored {
  applicationId: string;
  /** ms since the epoch */
  submittedAt: number;
}

interface NewKey extends Stored {
  idempotencyKey: string;
  contentHash: string;
}

export const selectKey = prepared((database, { idempotencyKey }: Pick<NewKey, "idempotencyKey">) =>
  database
    .selectFrom("idempotency_keys")
    .select(["content_hash", "application_id", "submitted_at"])
    .where("idempotency_key", "=", idempotencyKey),
);

interface Duplicate {
  contentHash: string;
  channel: Channel;
  /** ms since the epoch, both exclusive */
  after: number;
  before: number;
}

export const selectDuplicate = prepared(
  (database, { contentHash, channel, after, before }: Duplicate) =>
    database
      .selectFrom("applications")
      .select(["application_id", "submitted_at"])
      .where("content_hash", "=", contentHash)
      .where("channel", "=", channel)
      .where("submitted_at", ">", after)
      .where("submitted_at", "<", before)
      .orderBy("submitted_at"),
);

interface NewRow extends Application, Stored {
  channel: Channel;
  contentHash: string;
  suspicion: Suspicion | null;
}

export const insertUnlessTaken = prepared((database, row: NewRow) =>
  database
    .insertInto("applications")
    .values({
      application_id: row.applicationId,
      channel: row.channel,
      submitted_at: row.submittedAt,
      content_hash: row.contentHash,
      name: row.name,
      phone: row.phone,
      gender: row.gender,
      age: row.age,
      region: row.region,
      preferred_date: row.preferredDate,
      day_type: row.dayType,
      time_slot: row.timeSlot,
      car_type: row.carType,
      message: row.message,
      suspicion: row.suspicion,
    })
    .onConflict((conflict) => conflict.column("application_id").doNothing()),
);

export const insertDelivery = prepared((database, { applicationId, submittedAt }: Stored) =>
  database.insertInto("deliveries").values({
    application_id: applicationId,
    state: "waiting",
    attempts: 0,
    next_attempt_at: submittedAt,
    fence: 0,
  }),
);

export const insertKey = prepared(
  (database, { idempotencyKey, contentHash, applicationId, submittedAt }: NewKey) =>
    database.insertInto("idempotency_keys").values({
      idempotency_key: idempotencyKey,
      content_hash: contentHash,
      application_id: applicationId,
      submitted_at: submittedAt,
      created_at: submittedAt,
    }),
);
