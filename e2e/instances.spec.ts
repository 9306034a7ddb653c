import { setTimeout as pause } from "node:timers/promises";
import { receiptIn } from "#lib/application/answer.ts";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { followedForm } from "#testing/client.ts";
import { asJson } from "#testing/form.ts";
import { administer, POSTGRES_PASSWORD, PostgresServer } from "#testing/peers/postgres.ts";
import { SmtpPeer } from "#testing/peers/smtp-peer.ts";
import { TwilioPeer } from "#testing/peers/twilio-peer.ts";
import { Site } from "#testing/site.ts";
import { expect, mailSettings, smsSettings, test } from "#testing/test.ts";

test.describe("several servers on one PostgreSQL", () => {
  let postgres: PostgresServer;
  let twilio: TwilioPeer;
  let smtp: SmtpPeer;
  let sites: Site[];

  test.beforeEach(async () => {
    [postgres, twilio, smtp] = [await PostgresServer.start(), new TwilioPeer(), new SmtpPeer()];
    await Promise.all([twilio.start(), smtp.start()]);
    const settings = {
      ...smsSettings(twilio),
      ...mailSettings(smtp),
      DATABASE_URL: postgres.url,
    };
    // At the same time, on an empty database: both want to make the tables.
    sites = await Promise.all([Site.start(settings), Site.start(settings)]);
  });
  test.afterEach(async () => {
    await Promise.all(sites.map((site) => site.stop()));
    await Promise.all([twilio.stop(), smtp.stop(), postgres.stop()]);
  });

  /** Sends an application as a browser does: again, with its key, until it has a receipt. */
  async function apply(url: string, name: string, key: string, route: "sms" | "mail") {
    for (;;) {
      const receipt = await fetch(`${url}/api/${route}/training-application`, {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": key },
        body: asJson({ name }),
        signal: AbortSignal.timeout(10_000),
      })
        .then(async (answer) => (answer.ok ? receiptIn(await answer.json()) : undefined))
        .catch(() => undefined);
      if (receipt) return receipt.applicationId;
      await pause(200);
    }
  }

  const urlOf = (index: number) => sites[index % sites.length]?.url ?? "";
  const messagesOf = (number: string) => {
    const shown = formatApplicationId(number);
    const texts = twilio.messages.filter(({ body }) => body.includes(shown));
    const mails = smtp.mails.filter(({ parsed }) => parsed.subject?.includes(shown));
    return texts.length + mails.length;
  };
  const stored = () => administer(postgres.url, "select name from applications");

  test("each application under load is stored once and reaches the owner once", async () => {
    test.setTimeout(420_000);
    const numbers = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        await pause(index * 20);
        const route = index % 2 === 0 ? "sms" : "mail";
        // Both servers get it, in the same moment: a browser that tried twice behind a balancer.
        const key = crypto.randomUUID();
        const [one, other] = await Promise.all(
          [0, 1].map((server) => apply(urlOf(server), `두서버${index}`, key, route)),
        );
        expect(other).toBe(one);
        return one ?? "";
      }),
    );
    expect(new Set(numbers).size).toBe(60);
    expect(await stored()).toHaveLength(60);
    await expect
      .poll(() => numbers.filter((number) => messagesOf(number) === 0).length, { timeout: 120_000 })
      .toBe(0);
    // Long enough for whoever else might have leased one of them.
    await pause(3_000);
    expect(numbers.map(messagesOf).filter((count) => count !== 1)).toEqual([]);
  });

  test("PostgreSQL killed and started again under load loses nothing, and both go on by themselves", async () => {
    test.setTimeout(420_000);
    const applied = Array.from({ length: 60 }, async (_, index) => {
      await pause(index * 100);
      const route = index % 2 === 0 ? "sms" : "mail";
      return apply(urlOf(index), `되살아난${index}`, crypto.randomUUID(), route);
    });
    for (let kill = 0; kill < 3; kill++) {
      await pause(1_000);
      await postgres.kill();
      const out = await fetch(`${urlOf(kill)}/api/mail/training-application`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: asJson({ name: `되살아난 ${kill}` }),
      });
      expect(out.status).toBe(503);
      expect(out.headers.get("retry-after")).not.toBeNull();
      expect((await fetch(urlOf(kill))).status).toBe(200);
      const health = await fetch(`${urlOf(kill)}/api/health`);
      expect(await health.text()).not.toContain(POSTGRES_PASSWORD);
      await postgres.startAgain();
    }
    const numbers = await Promise.all(applied);
    expect(new Set(numbers).size).toBe(60);
    expect(await stored()).toHaveLength(60);
    await expect
      .poll(() => numbers.filter((number) => messagesOf(number) === 0).length, { timeout: 120_000 })
      .toBe(0);
    for (const site of sites) {
      await expect
        .poll(async () => (await fetch(`${site.url}/api/health`)).status, { timeout: 15_000 })
        .toBe(200);
      expect(site.log).toMatch(/PostgreSQL server 127\.0\.0\.1:\d+\/postgres/);
      expect(site.log).not.toContain(POSTGRES_PASSWORD);
    }
  });

  test("what a server holds that stands still past its lease goes out once by the other, and its own late note is not taken", async () => {
    test.setTimeout(180_000);
    const [stalled, other] = sites;
    if (!stalled || !other) throw new Error("there are not two servers");
    // Only one of them runs at a time, so that it is known who holds what.
    other.signal("SIGSTOP");
    const numbers: string[] = [];
    // Twilio answers neither message; it has the first one.
    for (const [index, misbehaviour] of [
      { hangs: true, stores: true },
      { hangs: true },
    ].entries()) {
      twilio.next(misbehaviour);
      numbers.push(await apply(stalled.url, `멈춘서버${index}`, crypto.randomUUID(), "sms"));
      await expect.poll(() => twilio.requests).toBe(index + 1);
    }
    stalled.signal("SIGSTOP");
    // What two minutes of standing still come to.
    await administer(postgres.url, "update deliveries set lease_until = 0 where state = 'leased'");
    other.signal("SIGCONT");
    // Wakes it; alone it would look after half a minute at the latest.
    numbers.push(await apply(other.url, "깨운서버", crypto.randomUUID(), "mail"));
    const deliveries = () =>
      administer(
        postgres.url,
        "select application_id, state, fence, attempts from deliveries order by id",
      );
    await expect
      .poll(async () => JSON.stringify(await deliveries()).match(/"delivered"/g), {
        timeout: 60_000,
      })
      .toHaveLength(3);
    const settled = await deliveries();
    expect(numbers.map(messagesOf)).toEqual([1, 1, 1]);

    stalled.signal("SIGCONT");
    await expect
      .poll(() => stalled.log.match(/another worker has taken this delivery over/g), {
        timeout: 30_000,
      })
      .toHaveLength(2);
    // Long enough for a message that it should not send.
    await pause(3_000);
    expect(await deliveries()).toEqual(settled);
    expect(numbers.map(messagesOf)).toEqual([1, 1, 1]);
    // It goes on as if nothing had been.
    numbers.push(await apply(stalled.url, "이어서", crypto.randomUUID(), "sms"));
    await expect.poll(() => numbers.map(messagesOf)).toEqual([1, 1, 1, 1]);
  });

  test("the answer to a form without JavaScript is shown by the server that the redirect leads to", async () => {
    const answer = await fetch(`${urlOf(0)}/api/mail/training-application`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ name: "다른서버", age: "7" }).toString(),
      redirect: "manual",
    });
    expect(answer.status).toBe(303);
    const page = await followedForm(answer, urlOf(1));
    expect(page).toContain("다른서버");
  });
});
