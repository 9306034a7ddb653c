import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { parseConfig } from "#lib/config.ts";
import { parseEnvFile } from "#lib/env-file.ts";
import { makeTemporaryFolder } from "#testing/storage/temporary-folder.ts";

const BOM = "\ufeff";
const parseText = (text: string | Uint8Array) => parseEnvFile(Buffer.from(text as string));

test.each([
  ["SITE_URL=https://a.kr", { SITE_URL: "https://a.kr" }],
  [`${BOM}SITE_URL=https://a.kr`, { SITE_URL: "https://a.kr" }],
  ["A=1\r\nB=2\r\n", { A: "1", B: "2" }],
  ["A=1\rB=2", { A: "1", B: "2" }],
  ["  export A = 1  \n\tB=\t2", { A: "1", B: "2" }],
  ["# A=1\n\n  # B=2", {}],
  ["A=\nB= \nA=1", { A: "1" }],
  ["A=a=b\nB='12#34'", { A: "a=b", B: "12#34" }],
  ["A=한국 12\t3", { A: "한국 12\t3" }],
  ["A='12 #101호' # 설명", { A: "12 #101호" }],
  ['A="12 #101호"\nB=`12 "#"`', { A: "12 #101호", B: '12 "#"' }],
  ["A='pa\\n$HOME\"ss'\nB=$HOME", { A: 'pa\\n$HOME"ss', B: "$HOME" }],
  ['A=""\nB=it\'s', { B: "it's" }],
  ["A=👩‍🏫", { A: "👩‍🏫" }],
])("the .env file %j is read [77]", (text, values) => {
  expect(parseText(text)).toEqual({ values, faults: [] });
});

const CP949 = Buffer.from("425553494e4553535f4e414d453dc2f7b1d9c2f7b1d9", "hex");
const utf16 = (text: string) => Buffer.from(text, "utf16le");

const BROKEN_LINE_PATTERN = /1번째 줄: 보이지 않거나 깨진 글자/;
test.each<[what: string, text: string | Uint8Array, fault: RegExp]>([
  ["UTF-16 and a byte-order mark", utf16(`${BOM}A=1\nB=2`), BROKEN_LINE_PATTERN],
  ["UTF-16 without a mark", utf16("A=1\nB=2"), BROKEN_LINE_PATTERN],
  ["big-endian UTF-16", utf16(`${BOM}A=가\nB=나`).swap16(), BROKEN_LINE_PATTERN],
  ["CP949", Buffer.concat([Buffer.from("A=1\r\n#\r\n"), CP949]), /^\.env 3번째 줄: .*UTF-8/],
  ["a byte that is cut off", Buffer.from("A=1\nB=가").subarray(0, -1), /2번째 줄: .*UTF-8/],
  ["a byte-order mark in the middle", `A=1\n${BOM}B=2`, /2번째 줄: .*UTF-8/],
  ["a zero-width space", "A=s3\u200bcret", BROKEN_LINE_PATTERN],
  ["an escape", "A=\u001b[1m", BROKEN_LINE_PATTERN],
  ["a line break of another kind", "A=1\u2028B=2", BROKEN_LINE_PATTERN],
  ["no equals sign", "A=1\ns3cret", /2번째 줄: 이름=값 꼴/],
  ["a colon", "A: s3cret", /1번째 줄: 이름=값 꼴/],
  ["a full-width equals sign", "A＝s3cret", /1번째 줄: 이름=값 꼴/],
  ["a name with a hyphen", "SMS-TO=s3cret", /1번째 줄: 이름=값 꼴/],
  ["a quote that stays open", 'A="s3\ncret"', /1번째 줄: A 값의 따옴표.*\n.*2번째 줄/],
  ["text after a quote", "A='s3' cret", /1번째 줄: A 값의 따옴표/],
  ["a quote inside quotes", "A='s3'cret'", /1번째 줄: A 값의 따옴표/],
  ["a name twice", "A=s3\n\nA=cret", /^\.env 3번째 줄: A 설정이 두 번/],
  ["a name twice, once without a value", "A=s3\nA=", /2번째 줄: A 설정이 두 번/],
  ["a # in a value", "A=s3#cret", /^\.env 1번째 줄: A 값에 #이 있습니다\. .+작은따옴표/],
  ["a comment behind a value", "PORT=3000 # the port", /1번째 줄: PORT 값에 #이/],
])("a .env file with %s is refused with the line number [77]", (_, text, fault) => {
  const { faults, values } = parseText(text);
  expect(faults.join("\n")).toMatch(fault);
  // In another encoding many lines are faulty, but only the first such line is reported.
  expect(faults.length).toBeLessThan(3);
  expect(faults.join()).not.toMatch(/s3|cret/);
  expect(values).not.toHaveProperty("BUSINESS_NAME");
});

const warningsOf = (text: string, env: Record<string, string> = {}) => {
  const file = parseText(text);
  return parseConfig({ ...env, ...file.values }, file).warnings.join("\n");
};

test.each([
  ["SMPT_HOST=s3cret", /^SMPT_HOST: 이 사이트에 없는 설정입니다\. \.env\.example/],
  ["smtp_host=s3cret", /^smtp_host: /],
  ["POTR=s3cret", /^POTR: /],
  ["NODE_TLS_REJECT_UNAUTHORIZED=0", /^NODE_TLS_REJECT_UNAUTHORIZED: 이 사이트에 없는 설정/],
])("the .env file %j is read with a warning", (text, warning) => {
  expect(warningsOf(text)).toMatch(warning);
  expect(warningsOf(text)).not.toMatch(/s3cret/);
});

test("a variable gives a warning only if it looks like a setting of this site", () => {
  const others = { HOST: "a", MAIL: "/var/mail/site", TZ: "Asia/Seoul", NODE_ENV: "production" };
  expect(warningsOf("POSTGRES_PASSWORD=a\nCOMPOSE_PROFILES=a\nTZ=a\nSMTP_HOTS=", others)).toBe("");
  // A container gets its settings as environment variables, without a file.
  expect(warningsOf("", { ...others, SMTP_PASS: "s3cret" })).toMatch(/^SMTP_PASS: .*$/);
});

/** Returns three settings, then the names in the warnings. */
function readInProcess(write: (file: string) => void, given: Record<string, string> = {}): string {
  const cwd = makeTemporaryFolder();
  write(join(cwd, ".env"));
  const module = JSON.stringify(resolve("lib/config.ts"));
  const program = `const { config } = await import(${module});
    const { port, hostname, businessName, warnings } = config();
    const about = warnings.map((each) => each.split(":")[0]);
    console.log([port, hostname, businessName, ...about].join());`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd,
    env: { NODE_ENV: "test", ...given },
    encoding: "utf8",
  });
  return stdout.trim() || stderr;
}
const writeEnvFile = (text: string) => (file: string) => writeFileSync(file, text);
const ENV_FILE_TEXT = "TZ=Asia/Seoul\nPORT=3001\nHOSTNAME=127.0.0.1\nBUSINESS_NAME='\"운전\" 연수'";

const QUOTED = { BUSINESS_NAME: ' "연수" ', PORT: "'3003'" };
const ANOTHER_PORT = { PORT: "3002", TZ: "UTC" };
test.each<[what: string, given: Record<string, string>, said: string]>([
  ["the file alone", {}, '3001,127.0.0.1,"운전" 연수'],
  ["the environment before the file", ANOTHER_PORT, '3002,127.0.0.1,"운전" 연수,PORT'],
  ["the file, not the machine's name", { HOSTNAME: "3f2a9c" }, '3001,127.0.0.1,"운전" 연수'],
  ["the environment's own address", { HOSTNAME: "::" }, '3001,::,"운전" 연수,HOSTNAME'],
  ["the environment without Docker's quotes", QUOTED, "3003,127.0.0.1,연수,BUSINESS_NAME,PORT"],
])("a process reads its settings from %s [102]", (_, given, said) => {
  expect(readInProcess(writeEnvFile(ENV_FILE_TEXT), given)).toBe(said);
});

test("a process reports the faults of .env and of the settings together", () => {
  const said = readInProcess(writeEnvFile("PORT=soon\nHOSTNAME=practice\n가나다"));
  expect(said).toMatch(/\.env 3번째 줄:[\s\S]*PORT:[\s\S]*HOSTNAME:/);
  expect(readInProcess((file) => mkdirSync(file))).toMatch(
    /\.env: 읽을 수 없습니다\(EISDIR\).*sudo/,
  );
  const toNowhere = readInProcess((file) => symlinkSync("/nowhere/site.env", file));
  expect(toNowhere).toMatch(/\.env: 읽을 수 없습니다\(ENOENT\)/);
});
