import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ConfigError, parseConfig } from "#lib/config.ts";
import { business } from "#lib/content/business.ts";
import { environment } from "#lib/environment.ts";

const TWILIO = {
  SMS_TO: "010-1111-2222, 01033334444",
  TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
  TWILIO_AUTH_TOKEN: "token",
  TWILIO_FROM: "+821000000000",
};
const MAIL = {
  SMTP_URL: "smtp://user:pass@mail.example:587",
  MAIL_FROM: "site@mail.example",
  MAIL_TO: "owner@mail.example",
};

function faultsOf(env: Record<string, string>): string {
  try {
    parseConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error("the configuration was taken");
}

describe("parseConfig", () => {
  it("runs with an empty environment", () => {
    const config = parseConfig({});
    expect(config.siteUrl).toBe("http://localhost:3000");
    expect(config.inquiryPhone).toBe(business.inquiryPhone);
    expect(config.databaseFile).toMatch(/data\/applications\.db$/);
    expect(config.sms).toBeUndefined();
    expect(config.mail).toBeUndefined();
    expect(config.port).toBe(3000);
  });

  it("takes a value that is blank for one that is not set", () => {
    expect(parseConfig({ INQUIRY_PHONE: " ", PORT: "" })).toEqual(parseConfig({}));
  });

  it("takes quotes off a value, which docker run --env-file hands on", () => {
    const quoted = {
      PORT: '"3001"',
      BUSINESS_NAME: "'차근차근 운전연수'",
      SITE_URL: '"https://a.example"',
    };
    expect(parseConfig(quoted)).toMatchObject({
      port: 3001,
      siteUrl: "https://a.example",
      businessName: "차근차근 운전연수",
    });
    expect(parseConfig({ INQUIRY_PHONE: '" "' })).toEqual(parseConfig({}));
  });

  it("names every fault in one message", () => {
    const faults = faultsOf({
      SITE_URL: "ftp://x",
      PORT: "http",
      INQUIRY_PHONE: "call me",
      MAIL_TO: "nobody",
    });
    for (const name of ["SITE_URL", "PORT", "INQUIRY_PHONE", "MAIL_TO"])
      expect(faults).toContain(name);
  });

  it("names what is missing when a channel is configured halfway", () => {
    const faults = faultsOf({ SMS_TO: "01011112222", SMTP_URL: MAIL.SMTP_URL });
    for (const name of [
      "TWILIO_ACCOUNT_SID",
      "TWILIO_AUTH_TOKEN",
      "TWILIO_FROM",
      "MAIL_FROM",
      "MAIL_TO",
    ]) {
      expect(faults).toContain(name);
    }
  });

  it("never puts a secret into a fault", () => {
    const faults = faultsOf({ TWILIO_AUTH_TOKEN: "s3cret", SMTP_URL: "http://u:s3cret@host" });
    expect(faults).not.toContain("s3cret");
  });

  it("reads both channels", () => {
    const config = parseConfig({ ...TWILIO, ...MAIL });
    expect(config.sms?.to).toEqual(["+821011112222", "+821033334444"]);
    expect(config.sms?.sender).toEqual({ from: "+821000000000" });
    expect(config.mail?.to).toEqual(["owner@mail.example"]);
  });

  it("refuses two senders for SMS", () => {
    const both = { ...TWILIO, TWILIO_MESSAGING_SERVICE_SID: `MG${"0".repeat(32)}` };
    expect(faultsOf(both)).toContain("only one of them");
  });

  it("caps the SMS, and refuses a cap under which not even one application could go out", () => {
    expect(parseConfig({})).toMatchObject({ smsHourlyLimit: 30, smsDailyLimit: 100 });
    // Two numbers, and four segments at most to each.
    expect(faultsOf({ ...TWILIO, SMS_HOURLY_LIMIT: "7" })).toContain("SMS_HOURLY_LIMIT");
    expect(parseConfig({ ...TWILIO, SMS_HOURLY_LIMIT: "8" }).smsHourlyLimit).toBe(8);
  });

  it("reads the database's place from a file: address", () => {
    expect(parseConfig({ DATABASE_URL: "file:/srv/site/a.db" }).databaseFile).toBe(
      "/srv/site/a.db",
    );
    expect(parseConfig({ DATABASE_URL: "file:///srv/site/a.db" }).databaseFile).toBe(
      "/srv/site/a.db",
    );
  });

  it("takes the address of a PostgreSQL, and repeats no faulty one: it holds a password", () => {
    for (const url of ["postgres://site:secret@db/site", "postgresql://site@[::1]:5433/site"]) {
      expect(parseConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
    }
    expect(parseConfig({}).databaseUrl).toBeUndefined();
    const faults = ["mysql://site:secret@db/site", "postgres://site:sec ret@:db:/x"];
    for (const url of faults) {
      expect(faultsOf({ DATABASE_URL: url })).toMatch(/DATABASE_URL: must be file:/);
      expect(faultsOf({ DATABASE_URL: url })).not.toMatch(/sec ?ret/);
    }
  });

  it.each([
    ["SMTP_URL", "smtp://site:se%cret@mail.example:587"],
    ["DATABASE_URL", "postgres://site:se%cret@db/site"],
    ["SMTP_URL", "smtp://site:se%FFcret@mail.example:587"],
  ])("says what is wrong with a %% that stands in a password: %s", (name, url) => {
    const faults = faultsOf({ ...MAIL, [name]: url });
    expect(faults).toMatch(new RegExp(`${name}: .*% itself is (written )?%25`));
    expect(faults).not.toContain("cret");
  });

  it("takes the facts that an owner may state, and promises nothing without them", () => {
    const empty = parseConfig({});
    expect(empty).toMatchObject({ businessLinks: [], hstsSubdomains: false });
    expect([empty.callbackPromise, empty.messengerUrl, empty.factInsurance]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const stated = {
      CALLBACK_PROMISE: "평일 오전 9시부터 오후 8시 사이에 전화드립니다.",
      MESSENGER_URL: "https://pf.kakao.example/_abc",
      BUSINESS_LINKS: "https://naver.example/place, https://blog.example/",
      HSTS_SUBDOMAINS: "on",
    };
    expect(parseConfig(stated)).toMatchObject({
      callbackPromise: stated.CALLBACK_PROMISE,
      messengerUrl: stated.MESSENGER_URL,
      businessLinks: ["https://naver.example/place", "https://blog.example/"],
      hstsSubdomains: true,
    });
    const faults = faultsOf({
      MESSENGER_URL: "javascript:alert(1)",
      BUSINESS_LINKS: "https://a.example, blog",
      PRIVACY_DATE: "2026-02-30",
    });
    for (const name of ["MESSENGER_URL", "BUSINESS_LINKS.1", "PRIVACY_DATE"])
      expect(faults).toContain(name);
  });

  it("shows the inquiry number as people write it, however it was set", () => {
    expect(parseConfig({ INQUIRY_PHONE: "+82 10 1234 5678" }).inquiryPhone).toBe("010-1234-5678");
  });
});

describe(".env.example", () => {
  it("names every setting that the program reads, and no other", () => {
    const documented = [...readFileSync(".env.example", "utf8").matchAll(/^([A-Z_0-9]+)=/gm)].map(
      (m) => m[1],
    );
    expect(documented.sort()).toEqual(Object.keys(environment.shape).sort());
  });
});
