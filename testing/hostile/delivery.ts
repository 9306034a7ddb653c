/** Checks how hostile values appear in every message, table and log that the owner or operator reads. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { parse } from "csv-parse/sync";
import { isEucKr } from "#lib/channels/sms/euc-kr.ts";
import { eventually } from "#testing/browser/eventually.ts";
import { asJson, VALUES } from "#testing/browser/form.ts";
import { HOSTILE_MESSAGES, HOSTILE_VALUES } from "#testing/hostile/values.ts";
import type { ReceivedMail } from "#testing/peers/smtp-peer.ts";
import { FORM_TYPE, mapConcurrently, post } from "#testing/site/client.ts";
import { applications } from "#testing/site/command-line.ts";
import type { Site } from "#testing/site/site.ts";
import { withSite } from "#testing/site/site-with-peers.ts";

/** Characters that no message may contain: controls, and characters that are invisible or reverse the text. */
const DECEIVING = /[[\p{Cc}\p{Bidi_Control}\u200b\u200c\u2060\ufeff\u3164]--[\t\n]]/v;
/** Texts that a phone or a mail program would turn into a link. */
const LIVE = /:\/\/|[\p{L}\p{N}_-][.．。｡․]\p{L}|\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b/u;

/** The readable part of a text: its letters and digits in their order. */
function lettersAndDigits(text: string): string {
  const shown = text
    .toWellFormed()
    .normalize("NFC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  return (shown.match(/[\p{L}\p{N}]/gu) ?? []).join("");
}

const phoneOf = (index: number) => `010-3000-${String(index).padStart(4, "0")}`;

/** The tags of a mail, without line breaks and the numbers in its links. */
const tagsOf = ({ parsed }: ReceivedMail) =>
  (String(parsed.html).match(/<(?!w?br>)[^>]*>/g) ?? []).map((tag) =>
    tag.replace(/(tel|sms):\+\d+/, "$1:"),
  );
const headerNames = ({ parsed }: ReceivedMail) => [...parsed.headers.keys()].toSorted();

/** The rows of a mail, and the visitor's message after them. */
function splitMail({ parsed: { text = "" } }: ReceivedMail) {
  const [head = "", message = ""] = text.split("남기신 말씀:");
  const rows = head.split("\n").filter((line) => line.includes(":"));
  return { rows, labels: rows.map((row) => row.split(":")[0]), message };
}

/**
 * Expects every hostile text to be accepted, and to stay plain text in a text message, a mail, the log and the
 * spreadsheet.
 */
export async function expectPlainTextEverywhere(): Promise<void> {
  /** Each text is sent as a name and as a message. */
  const names = Object.values(HOSTILE_VALUES).flat();
  await withSite({}, async ({ site, smtp, twilio }) => {
    const ordinary = phoneOf(9_999);
    for (const route of ["sms", "mail"] as const)
      await post(site, route, asJson({ phone: ordinary, message: "주차" }));
    const texts = [...names, ...HOSTILE_MESSAGES];
    for (const [parity, route] of (["sms", "mail"] as const).entries()) {
      await mapConcurrently([...texts.keys()], 8, async (index) => {
        const text = texts[index] ?? "";
        const name = index < names.length ? text : VALUES.name;
        const fields = { ...VALUES, name, phone: phoneOf(index), message: text };
        const inForm = index % 2 === parity;
        const answer = inForm
          ? await post(site, route, new URLSearchParams(fields).toString(), FORM_TYPE)
          : await post(site, route, asJson(fields));
        expect(answer.status, `${route} ${index} ${JSON.stringify(text)}`).toBe(inForm ? 303 : 200);
      });
    }
    const texted = (phone: string) => twilio.messages.find(({ body }) => body.includes(phone));
    // The mail with the full text is left out, because it has one more row.
    const mailed = (phone: string) =>
      smtp.mails.find(
        ({ parsed }) => parsed.text?.includes(phone) && !parsed.subject?.startsWith("[문자 전문]"),
      );
    const missing = () =>
      texts.flatMap((text, index) =>
        texted(phoneOf(index)) && mailed(phoneOf(index)) ? [] : [text],
      );
    await eventually(missing, { intervals: [500] }).toEqual([]);
    await eventually(() => mailed(ordinary)).toBeDefined();
    const model = mailed(ordinary);
    if (!model) throw new Error("the ordinary mail did not come");

    for (const [index, text] of texts.entries()) {
      const what = `${index} ${JSON.stringify(text)}`;
      const sms = texted(phoneOf(index))?.body ?? "";
      const lines = sms.split("\n");
      expect(lines, what).toHaveLength(10);
      expect(lines[0], what).toBe("운전연수 신청");
      expect(lines[9], what).toMatch(/^[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}$/);
      expect(lines[2], what).toBe(phoneOf(index));
      expect(lines[1], what).not.toBe("");
      expect(sms, what).not.toMatch(DECEIVING);
      expect(sms, what).not.toMatch(LIVE);
      expect(isEucKr(sms), what).toBe(true);
      expect(sms.length, what).toBeLessThanOrEqual(280);

      const mail = mailed(phoneOf(index));
      if (!mail) throw new Error(what);
      expect(mail.envelopeTo, what).toEqual(["owner@practice.example"]);
      expect(headerNames(mail), what).toEqual(headerNames(model));
      expect(mail.raw.split("\r\n\r\n")[0], what).toMatch(/^[\t\r\n\x20-\x7e]+$/);
      expect(tagsOf(mail), what).toEqual(tagsOf(model));
      const { subject = "", text: plain = "" } = mail.parsed;
      expect(subject, what).not.toMatch(/\n/);
      for (const part of [subject, plain, String(mail.parsed.html)]) {
        expect(part, what).not.toMatch(DECEIVING);
      }
      expect(subject, what).not.toMatch(LIVE);
      expect(plain, what).not.toMatch(LIVE);
      const { rows, labels, message } = splitMail(mail);
      expect(labels, what).toEqual(splitMail(model).labels);
      if (index < names.length) {
        const own = rows.find((row) => row.startsWith("이름:")) ?? "";
        expect(lettersAndDigits(own.slice("이름:".length)), what).toBe(lettersAndDigits(text));
      }
      expect(lettersAndDigits(message), what).toBe(lettersAndDigits(text));
    }
    expect(site.log).not.toMatch(/evil|script|김|여주/);
    await expectPlainInListAndSpreadsheet(site, texts, names.length);
  });
}

/** Expects the spreadsheet and the command line's list to contain every value, as plain text. */
async function expectPlainInListAndSpreadsheet(
  site: Site,
  texts: readonly string[],
  names: number,
): Promise<void> {
  const file = join(site.dataDir, "table.csv");
  expect((await applications(site, "export", file)).stdout).toContain(`${2 * texts.length + 2}건`);
  const format = { bom: true, columns: true, record_delimiter: "\r\n" } as const;
  const rows: Record<string, string>[] = parse(readFileSync(file, "utf8"), format);
  for (const cell of rows.flatMap(Object.values)) {
    expect(cell).not.toMatch(/^\s*[=+\-@\t\r＝＋－＠]/);
    expect(cell).not.toMatch(DECEIVING);
  }
  for (const [index, text] of texts.entries()) {
    const theirs = rows.filter(({ 전화번호 }) => 전화번호 === phoneOf(index));
    expect(theirs, text).toHaveLength(2);
    for (const { 이름 = "", "남기신 말씀": 말씀 = "" } of theirs) {
      if (index < names) expect(lettersAndDigits(이름), text).toBe(lettersAndDigits(text));
      expect(lettersAndDigits(말씀), text).toBe(lettersAndDigits(text));
    }
  }
  const { stdout } = await applications(site, "list", "--limit", "10000");
  expect(stdout).not.toMatch(DECEIVING);
  expect(stdout.match(/010-3000-/g)).toHaveLength(rows.length);
}
