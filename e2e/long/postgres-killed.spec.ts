import { setTimeout as pause } from "node:timers/promises";
import { eventually } from "#testing/eventually.ts";
import { asJson } from "#testing/form.ts";
import { POSTGRES_PASSWORD, PostgresServer } from "#testing/peers/postgres.ts";
import { expect, test } from "#testing/test.ts";
import { applyUntilReceived, TwoServers } from "#testing/two-servers.ts";

test("PostgreSQL killed and started again under load loses nothing, and both go on by themselves", async () => {
  const postgres = await PostgresServer.start();
  const servers = await TwoServers.start(postgres);
  try {
    test.setTimeout(420_000);
    const applied = Array.from({ length: 60 }, async (_, index) => {
      await pause(index * 100);
      const route = index % 2 === 0 ? "sms" : "mail";
      return applyUntilReceived(
        servers.urlOf(index),
        `되살아난${index}`,
        crypto.randomUUID(),
        route,
      );
    });
    for (let kill = 0; kill < 3; kill++) {
      await pause(1_000);
      await postgres.kill();
      const out = await fetch(`${servers.urlOf(kill)}/api/mail/training-application`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: asJson({ name: `되살아난 ${kill}` }),
      });
      expect(out.status).toBe(503);
      expect(out.headers.get("retry-after")).not.toBeNull();
      expect((await fetch(servers.urlOf(kill))).status).toBe(200);
      const health = await fetch(`${servers.urlOf(kill)}/api/health`);
      expect(await health.text()).not.toContain(POSTGRES_PASSWORD);
      await postgres.startAgain();
    }
    const numbers = await Promise.all(applied);
    expect(new Set(numbers).size).toBe(60);
    expect(await servers.ask("select name from applications")).toHaveLength(60);
    await eventually(() => numbers.filter((number) => servers.messagesOf(number) === 0).length, {
      timeout: 120_000,
    }).toBe(0);
    for (const site of servers.sites) {
      await eventually(async () => (await fetch(`${site.url}/api/health`)).status, {
        timeout: 15_000,
      }).toBe(200);
      expect(site.log).toMatch(/PostgreSQL server 127\.0\.0\.1:\d+\/site_/);
      expect(site.log).not.toContain(POSTGRES_PASSWORD);
    }
  } finally {
    await servers.stop();
    await postgres.stop();
  }
});
