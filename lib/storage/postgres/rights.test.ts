import { expect, inject } from "vitest";
import { examineDatabase } from "#cli/doctor/database.ts";
import { parseConfig } from "#lib/config.ts";
import { runStatement } from "#testing/peers/postgres.ts";
import { createPostgresTest, openStoreAt } from "#testing/storage/own-database.ts";
import { aNewApplication, TEST_NOW } from "#testing/storage/temporary-store.ts";
import { catchAcceptError } from "#testing/storage/used-database.ts";

const test = createPostgresTest(() => inject("postgresUrl") ?? "");

test.for(["applications", "notices"])(
  "health and the doctor notice that a right on %s was revoked [92]",
  async (table, { url, store }) => {
    await store.accept(aNewApplication({ idempotencyKey: "before" }));
    const role = new URL(url).pathname.slice(1);
    await runStatement(
      url,
      `create role ${role} login; grant all on schema public to ${role};
      grant all on all tables in schema public to ${role};
      grant all on all sequences in schema public to ${role}`,
    );
    const limited = Object.assign(new URL(url), { username: role }).href;
    const site = openStoreAt(limited);
    const examine = async () =>
      (await examineDatabase(parseConfig({ DATABASE_URL: limited }))).findings;
    await site.probeAcceptance(TEST_NOW);
    expect(await examine()).toContainEqual(
      expect.objectContaining({ level: "ok", topic: "storage" }),
    );

    await runStatement(url, `revoke insert on ${table} from ${role}`);
    expect(await catchAcceptError(site)).toMatchObject({ reason: "read-only" });
    await expect(site.probeAcceptance(TEST_NOW)).rejects.toMatchObject({ reason: "read-only" });
    expect(await examine()).toEqual([
      expect.objectContaining({
        level: "fault",
        sentence: expect.stringMatching(`GRANT.+permission denied for table ${table}`),
      }),
    ]);

    await runStatement(url, `grant insert on ${table} to ${role}`);
    await site.probeAcceptance(TEST_NOW);
    await site.close();
    await runStatement(url, `drop owned by ${role}; drop role ${role}`);
  },
);
