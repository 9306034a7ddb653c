import { setTimeout as pause } from "node:timers/promises";
import { receiptIn } from "#lib/application/answer.ts";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { JSON_TYPE, post } from "#testing/client.ts";
import { eventually } from "#testing/eventually.ts";
import { asJson } from "#testing/form.ts";
import { administer, POSTGRES_PASSWORD, PostgresServer } from "#testing/peers/postgres.ts";
import { Site } from "#testing/site.ts";
import { expect, mailSettings, smsSettings, test } from "#testing/test.ts";

const COUNT = 60;
const KILLS = 3;

/** Sends an application as a browser does: again, with its key, until it has a receipt; returns its number. */
async function applyUntilReceived(site: Site, index: number, key: string): Promise<string> {
  const body = asJson({ name: `두서버${index}` });
  for (;;) {
    const route = index % 2 === 0 ? "sms" : "mail";
    const receipt = await post(site, route, body, { ...JSON_TYPE, "idempotency-key": key })
      .then(async (answer) => (answer.ok ? receiptIn(await answer.json()) : undefined))
      .catch(() => undefined);
    if (receipt) return receipt.applicationId;
    await pause(200);
  }
}

test(`two servers on a PostgreSQL that is killed ${KILLS} times under load store each application once and deliver it`, async ({
  twilio,
  smtp,
}) => {
  const postgres = await PostgresServer.start();
  const settings = {
    ...smsSettings(twilio),
    ...mailSettings(smtp),
    DATABASE_URL: postgres.url,
  };
  // Both start at the same time on an empty database: both want to make the tables.
  const sites = await Promise.all([Site.start(settings), Site.start(settings)]);
  try {
    const applied = Array.from({ length: COUNT }, async (_, index) => {
      await pause(index * 100);
      // Both servers get it, in the same moment: a browser that tried twice behind a balancer.
      const key = crypto.randomUUID();
      const numbers = await Promise.all(sites.map((site) => applyUntilReceived(site, index, key)));
      expect(new Set(numbers).size).toBe(1);
      return numbers[0] ?? "";
    });
    for (let kill = 0; kill < KILLS; kill++) {
      await pause(1_000);
      await postgres.kill();
      for (const site of sites) {
        const out = await post(site, "mail", asJson({ name: "되살아난" }));
        expect(out.status).toBe(503);
        expect(out.headers.get("retry-after")).not.toBeNull();
        expect((await fetch(site.url)).status).toBe(200);
      }
      await postgres.startAgain();
    }
    const numbers = await Promise.all(applied);
    expect(new Set(numbers).size).toBe(COUNT);
    const rows = await administer(postgres.url, "select name from applications");
    expect(rows).toHaveLength(COUNT);
    const messages = () =>
      [
        ...twilio.messages.map(({ body }) => body),
        ...smtp.mails.map(({ parsed }) => parsed.subject ?? ""),
      ].join("\n");
    const untold = () => {
      const told = messages();
      return numbers.filter((number) => !told.includes(formatApplicationId(number)));
    };
    await eventually(untold, { intervals: [500], timeout: 200_000 }).toEqual([]);
    for (const number of numbers)
      expect(messages().split(formatApplicationId(number)).length).toBeLessThanOrEqual(1 + 2);
    for (const site of sites) {
      await eventually(async () => (await fetch(`${site.url}/api/health`)).status).toBe(200);
      expect(site.log).toMatch(/PostgreSQL server 127\.0\.0\.1:\d+\/postgres/);
      expect(site.log).not.toContain(POSTGRES_PASSWORD);
    }
  } finally {
    await Promise.all(sites.map((site) => site.stop()));
    await postgres.stop();
  }
});
