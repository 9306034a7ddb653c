import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { asJson } from "#e2e/form.ts";
import { Site } from "#e2e/site.ts";
import { expect, mailSettings, test } from "#e2e/test.ts";

const JSON_TYPE = { "content-type": "application/json" };

test.describe("the process", () => {
  test("health tells what runs, how messages go out and what waits, and nothing personal", async ({
    site,
  }) => {
    const body = asJson({ name: "건강여주" });
    await fetch(`${site.url}/api/mail/training-application`, {
      method: "POST",
      headers: JSON_TYPE,
      body,
    });
    const answer = await fetch(`${site.url}/api/health`);
    expect(answer.status).toBe(200);
    const health = await answer.json();
    expect(health).toMatchObject({
      status: "ok",
      version: expect.any(String),
      storage: { ok: true },
      worker: { state: "running" },
      channels: { sms: "twilio", mail: "smtp" },
      deliveries: { waiting: expect.any(Number) },
    });
    expect(JSON.stringify(health)).not.toContain("건강여주");
  });

  test("SIGTERM ends it cleanly, with a stalled client and a request in flight", async () => {
    const site = await Site.start();
    try {
      const stalled = connect(Number(new URL(site.url).port), "127.0.0.1");
      stalled.on("error", () => undefined);
      stalled.write(
        "POST /api/mail/training-application HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
      );
      const inFlight = fetch(`${site.url}/api/mail/training-application`, {
        method: "POST",
        headers: JSON_TYPE,
        body: asJson({ name: "종료여주" }),
      });
      const started = Date.now();
      const [answer, code] = await Promise.all([
        inFlight,
        inFlight.then(() => site.end("SIGTERM")),
      ]);
      expect(answer.status).toBe(200);
      expect(code).toBe(0);
      expect(Date.now() - started).toBeLessThan(15_000);
      stalled.destroy();
    } finally {
      await site.stop();
    }
  });

  test("it refuses to show another number than the pages were built with", async () => {
    await expect(Site.start({ INQUIRY_PHONE: "010-9999-8888" })).rejects.toThrow(/npm run build/);
  });

  test("it names every fault of its configuration and does not start", async () => {
    await expect(Site.start({ SMS_TO: "nobody", SMTP_URL: "http://x" })).rejects.toThrow(
      /SMS_TO[\s\S]*SMTP_URL/,
    );
  });

  test("plain next start stores, says that nothing is delivered, and npm start delivers what waited", async ({
    smtp,
  }) => {
    const site = await Site.start(mailSettings(smtp));
    try {
      await site.end("SIGTERM");
      const port = new URL(site.url).port;
      const next = spawn("npx", ["next", "start", "-p", port], {
        env: {
          ...process.env,
          ...mailSettings(smtp),
          NODE_ENV: "production",
          DATA_DIR: site.dataDir,
        },
        detached: true,
      });
      let log = "";
      next.stdout.on("data", (chunk) => {
        log += chunk;
      });
      await expect
        .poll(async () => (await fetch(`${site.url}/api/health`).catch(() => undefined))?.status, {
          timeout: 20_000,
        })
        .toBe(503);
      const health = await (await fetch(`${site.url}/api/health`)).text();
      expect(health).toMatch(/deliver/i);
      const body = asJson({ name: "기다린여주" });
      const answer = await fetch(`${site.url}/api/mail/training-application`, {
        method: "POST",
        headers: JSON_TYPE,
        body,
      });
      expect(answer.status).toBe(200);
      await expect.poll(() => log, { timeout: 10_000 }).toMatch(/nothing is being delivered/);
      const gone = once(next, "exit");
      process.kill(-(next.pid ?? 0), "SIGKILL");
      await gone;

      const mine = () => smtp.mails.filter((mail) => mail.parsed.subject?.includes("기다린여주"));
      expect(mine()).toHaveLength(0);
      await site.startAgain();
      await expect.poll(() => mine().length).toBe(1);
    } finally {
      await site.stop();
    }
  });
});
