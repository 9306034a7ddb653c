import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Site } from "#testing/site.ts";
import { expect, test } from "#testing/test.ts";

const SECRETS = {
  TWILIO_AUTH_TOKEN: "canary-token-5f1c",
  TWILIO_ACCOUNT_SID: `AC${"5ca1ab1e".repeat(4)}`,
  SMTP_PASSWORD: "canary-password-77",
  SMS_TO: "010-8642-9753",
  MAIL_TO: "canary-owner@practice.example",
};

/** Everything that a browser can reach from the home page: pages, scripts, styles, fonts, pictures' addresses. */
async function crawl(site: Site): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const waiting = [
    "/",
    "/robots.txt",
    "/sitemap.xml",
    "/manifest.webmanifest",
    "/no-such-page",
    "/api/health",
    "/contact/result",
    "/api/mail/training-application",
  ];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (found.has(path)) continue;
    const answer = await fetch(site.url + path);
    const type = answer.headers.get("content-type") ?? "";
    const text = /image|font/.test(type) ? "" : await answer.text();
    found.set(path, `${JSON.stringify([...answer.headers])}\n${text}`);
    if (!/html|javascript|css/.test(type)) continue;
    const links = text.matchAll(
      /(?:href|src)="(\/[^"#]*)(?:#[^"]*)?"|((?:\/_next\/)?static\/chunks\/[\w.~-]+\.(?:js|css))/g,
    );
    for (const [, link, chunk] of links) {
      const next = link ?? `/_next/${chunk?.replace(/^\/_next\//, "")}`;
      if (!next.startsWith("//")) waiting.push(next.replaceAll("&amp;", "&"));
    }
  }
  return found;
}

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

test("nothing that a browser can fetch holds a secret, a path of the machine or a source map", async () => {
  const site = await Site.start({
    SMS_TO: SECRETS.SMS_TO,
    TWILIO_ACCOUNT_SID: SECRETS.TWILIO_ACCOUNT_SID,
    TWILIO_AUTH_TOKEN: SECRETS.TWILIO_AUTH_TOKEN,
    TWILIO_FROM: "+82215880000",
    SMTP_URL: `smtp://site:${SECRETS.SMTP_PASSWORD}@127.0.0.1:9`,
    MAIL_FROM: "site@practice.example",
    MAIL_TO: SECRETS.MAIL_TO,
  });
  try {
    const fetched = await crawl(site);
    const scripts = [...fetched.keys()].filter((path) => path.endsWith(".js"));
    expect(scripts.length).toBeGreaterThan(5);
    for (const page of ["/", "/gallery", "/pricing", "/contact", "/privacy"]) {
      expect([...fetched.keys()]).toContain(page);
    }
    const secrets = [...Object.values(SECRETS), "1086429753", site.dataDir, process.cwd()];
    const names = ["TWILIO_", "SMTP_URL", "SMS_TO", "MAIL_TO", "DATABASE_URL", "secure_delete"];
    for (const [path, content] of fetched) {
      for (const secret of secrets)
        expect(content.includes(secret), `${secret} in ${path}`).toBe(false);
      expect(content.includes("sourceMappingURL"), path).toBe(false);
      expect(content.toLowerCase().includes("x-powered-by"), path).toBe(false);
      if (path === "/api/health") continue;
      for (const name of names) expect(content.includes(name), `${name} in ${path}`).toBe(false);
    }
    for (const path of [
      ...scripts,
      ...[...fetched.keys()].filter((each) => each.endsWith(".css")),
    ]) {
      expect((await fetch(`${site.url}${path}.map`)).status, path).toBe(404);
    }
    expect(site.log).not.toMatch(
      new RegExp([SECRETS.TWILIO_AUTH_TOKEN, SECRETS.SMTP_PASSWORD].join("|")),
    );
  } finally {
    await site.stop();
  }
});

test("the folder of what browsers fetch holds no source map and no server's code", () => {
  const files = filesBelow(".next/static");
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((path) => path.endsWith(".map"))).toEqual([]);
  for (const path of files.filter((each) => each.endsWith(".js"))) {
    const code = readFileSync(path, "utf8");
    for (const trace of [
      "nodemailer",
      "TWILIO_",
      "node:sqlite",
      "kysely",
      "RateLimiter",
      process.cwd(),
    ]) {
      expect(code.includes(trace), `${trace} in ${path}`).toBe(false);
    }
  }
});
