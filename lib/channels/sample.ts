/** For tests: an application as it lies in the store, submitted 2026-12-01 09:30 in Seoul. */
import type { Application } from "#lib/application/fields.ts";
import type { StoredApplication } from "#lib/storage/store.ts";
import { anApplication, TEST_NOW } from "#lib/storage/temporary-store.ts";

export function sample(
  changes: Partial<Application> = {},
  channel: StoredApplication["channel"] = "sms",
): StoredApplication {
  return {
    applicationId: "7K3MPQ9X",
    channel,
    submittedAt: TEST_NOW,
    application: anApplication(changes),
  };
}
