import { globSync, readFileSync } from "node:fs";
import { PAGES } from "#testing/pages.ts";
import { Site } from "#testing/site.ts";
import { expect, test } from "#testing/test.ts";

const SECRETS = {
  TWILIO_AUTH_TOKEN: "canary-token-5f1c",
  TWILIO_ACCOUNT_SID: `AC${"5ca1ab1e".repeat(4)}`,
  SMTP_PASSWORD: "canary-password-77",
  SMS_TO: "010-8642-9753",
  MAIL_TO: "canary-owner@practice.example",
};
const TOLD = [
  ...["/robots.txt", "/sitemap.xml", "/manifest.webmanifest", "/sw.js", "/no-such-page"],
  ...["/api/health", "/contact/result", "/api/mail/training-application"],
];
/** Names of what only the server has. */
const SERVERS_OWN =
  /TWILIO_|SMTP_URL|SMS_TO|MAIL_TO|DATABASE_URL|secure_delete|nodemailer|node:sqlite|kysely/;

test("nothing that a browser can fetch holds a secret, a path of the machine or a source map", async () => {
  const { SMTP_PASSWORD, ...settings } = SECRETS;
  const site = await Site.start({
    ...settings,
    TWILIO_FROM: "+82215880000",
    SMTP_URL: `smtp://site:${SMTP_PASSWORD}@127.0.0.1:9`,
    MAIL_FROM: "site@practice.example",
  });
  try {
    const fetched = new Map<string, string>();
    for (const path of [...PAGES, ...TOLD]) {
      const answer = await fetch(site.url + path);
      fetched.set(path, `${JSON.stringify([...answer.headers])}\n${await answer.text()}`);
    }
    for (const file of globSync(".next/static/**/*.{js,css,json}"))
      fetched.set(file, readFileSync(file, "utf8"));
    const secrets = [...Object.values(SECRETS), "1086429753", site.dataDir, process.cwd()];
    for (const [path, content] of fetched) {
      for (const secret of secrets)
        expect(content.includes(secret), `${secret} in ${path}`).toBe(false);
      expect(SERVERS_OWN.exec(content)?.[0], path).toBeUndefined();
      expect(content, path).not.toMatch(/sourceMappingURL|x-powered-by/i);
    }
    expect(globSync(".next/static/**/*.map")).toEqual([]);
    for (const secret of [SECRETS.TWILIO_AUTH_TOKEN, SMTP_PASSWORD])
      expect(site.log).not.toContain(secret);
  } finally {
    await site.stop();
  }
});
