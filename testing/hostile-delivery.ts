/** What hostile visitors write, on its way to the owner. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { parse } from "csv-parse/sync";
import { isEucKr } from "#lib/channels/sms/euc-kr.ts";
import { eachOf, FORM_TYPE, post } from "#testing/client.ts";
import { applications } from "#testing/command-line.ts";
import { eventually } from "#testing/eventually.ts";
import { asJson, VALUES } from "#testing/form.ts";
import type { ReceivedMail } from "#testing/peers/smtp-peer.ts";
import type { Site } from "#testing/site.ts";
import { withSite } from "#testing/site-with-peers.ts";

/** What no reader may meet: controls, and characters that show nothing or turn the text around. */
const DECEIVING = /[[\p{Cc}\p{Bidi_Control}\u200b\u200c\u2060\ufeff\u3164]--[\t\n]]/v;
/** What a phone or a mail program would make a link of. */
const LIVE = /:\/\/|[\p{L}\p{N}_-][.．。｡․]\p{L}|\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b/u;

/** What a person reads of a text: its letters and digits, in their order. */
function readable(text: string): string {
  const shown = text
    .toWellFormed()
    .normalize("NFC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  return (shown.match(/[\p{L}\p{N}]/gu) ?? []).join("");
}

const phoneOf = (index: number) => `010-3000-${String(index).padStart(4, "0")}`;
const asForm = (fields: object) =>
  new URLSearchParams(
    Object.entries(fields).map(([name, value]) => [name, String(value)]),
  ).toString();

/** The tags of a mail as they came, but for the number that the one link calls. */
const tagsOf = ({ parsed }: ReceivedMail) =>
  (String(parsed.html).match(/<[^>]*>/g) ?? []).map((tag) => tag.replace(/(tel|sms):\+\d+/, "$1:"));
const headerNames = ({ parsed }: ReceivedMail) => [...parsed.headers.keys()].toSorted();

const LABELS = [
  "접수번호",
  "이름",
  "전화번호",
  "성별/나이",
  "연수 지역",
  "희망 날짜",
  "요일/시간대",
  "연수 차량",
  "접수 시각",
];

/** What is written here, each as a name and as a message or as a message alone. */
export interface HostileTexts {
  names: readonly string[];
  messages: readonly string[];
}

/** None of it is refused, none escapes from its place in a text message, a mail, the log or the table for Excel. */
export async function expectNoneEscapes({ names, messages }: HostileTexts): Promise<void> {
  await withSite({}, async ({ site, smtp, twilio }) => {
    const ordinary = phoneOf(9_999);
    await post(site, "mail", asJson({ phone: ordinary }));
    const texts = [...names, ...messages];
    for (const [parity, route] of (["sms", "mail"] as const).entries()) {
      await eachOf([...texts.keys()], 8, async (index) => {
        const text = texts[index] ?? "";
        const name = index < names.length ? text : VALUES.name;
        const fields = { ...VALUES, name, phone: phoneOf(index), message: text };
        const inForm = index % 2 === parity;
        const answer = inForm
          ? await post(site, route, asForm(fields), FORM_TYPE)
          : await post(site, route, asJson(fields));
        expect(answer.status, `${route} ${index} ${JSON.stringify(text)}`).toBe(inForm ? 303 : 200);
      });
    }
    const texted = (phone: string) => twilio.messages.find(({ body }) => body.includes(phone));
    // Not the mail with the whole of a shortened text message: it has one row more.
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
      const rows = plain.split("\n").slice(0, 9);
      expect(
        rows.map((row) => row.split(":")[0]),
        what,
      ).toEqual(LABELS);
      if (index < names.length) {
        expect(readable(rows[1]?.slice("이름:".length) ?? ""), what).toBe(readable(text));
      }
      expect(readable(plain.split("남기신 말씀:")[1] ?? ""), what).toBe(readable(text));
    }
    expect(site.log).not.toMatch(/evil|script|김|여주/);
    await expectInertInTheOwnersHands(site, texts, names.length);
  });
}

/** How many are looked at one by one on the command line. */
const SHOWN = 2;

/** The table for Excel and the command line's answers hold every value, and none of them does anything. */
async function expectInertInTheOwnersHands(
  site: Site,
  texts: readonly string[],
  names: number,
): Promise<void> {
  const file = join(site.dataDir, "table.csv");
  expect((await applications(site, "export", file)).stdout).toContain(`${2 * texts.length + 1}건`);
  const bytes = readFileSync(file, "utf8");
  expect(bytes.startsWith("\ufeff")).toBe(true);
  const rows: Record<string, string>[] = parse(bytes, {
    bom: true,
    columns: true,
    record_delimiter: "\r\n",
  });
  for (const row of rows) {
    for (const cell of Object.values(row)) {
      expect(cell).not.toMatch(/^\s*[=+\-@\t\r＝＋－＠]/);
      expect(cell).not.toMatch(DECEIVING);
    }
  }
  for (const [index, text] of texts.entries()) {
    const theirs = rows.filter(({ 전화번호 }) => 전화번호 === phoneOf(index));
    expect(theirs, text).toHaveLength(2);
    for (const { 이름 = "", "남기신 말씀": 말씀 = "" } of theirs) {
      if (index < names) expect(readable(이름), text).toBe(readable(text));
      expect(readable(말씀), text).toBe(readable(text));
    }
  }
  const listed = await applications(site, "list", "--limit", "10000");
  expect(listed.stdout.split("\n").filter((line) => line.includes("010-3000-"))).toHaveLength(
    rows.length,
  );
  const step = Math.ceil(texts.length / SHOWN);
  const some = [...texts.keys()].filter((index) => index % step === 0);
  const shown = await eachOf(some, 2, async (index) => {
    const number = rows.find(({ 전화번호 }) => 전화번호 === phoneOf(index))?.접수번호 ?? "";
    return (await applications(site, "show", number)).stdout;
  });
  for (const output of [listed.stdout, ...shown]) {
    expect(output).not.toMatch(DECEIVING);
    expect(output.isWellFormed()).toBe(true);
  }
  for (const [place, index] of some.entries()) {
    expect(readable(shown[place] ?? "")).toContain(readable(texts[index] ?? ""));
  }
}
