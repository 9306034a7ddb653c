import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { parseConfig } from "#lib/config.ts";
import { type EnvFile, parseEnvFile } from "#lib/env-file.ts";
import { makeTemporaryFolder } from "#testing/storage/temporary-folder.ts";

const MARK = "\ufeff";
const parseText = (text: string | Uint8Array) => parseEnvFile(Buffer.from(text as string));

test.each([
  ["SITE_URL=https://a.kr", { SITE_URL: "https://a.kr" }],
  [`${MARK}SITE_URL=https://a.kr`, { SITE_URL: "https://a.kr" }],
  ["A=1\r\nB=2\r\n", { A: "1", B: "2" }],
  ["A=1\rB=2", { A: "1", B: "2" }],
  ["  export A = 1  \n\tB=\t2", { A: "1", B: "2" }],
  ["# A=1\n\n  # B=2", {}],
  ["A=\nB= ", {}],
  ["A=1\nA=1\nA=", { A: "1" }],
  ["A=12#34\nB=#34\nC=a=b", { A: "12#34", B: "#34", C: "a=b" }],
  ["A=한국 12\t3", { A: "한국 12\t3" }],
  ["A='12 #101호' # 설명", { A: "12 #101호" }],
  ['A="12 #101호"\nB=`12 "#"`', { A: "12 #101호", B: '12 "#"' }],
  ["A='pa\\n$HOME\"ss'", { A: 'pa\\n$HOME"ss' }],
  ["A=\"\"\nB='1''2'", { B: "1''2" }],
  ["A=👩‍🏫", { A: "👩‍🏫" }],
])("the .env file %j is read without a warning", (text, values) => {
  expect(parseText(text)).toEqual({ values, faults: [], warnings: [] });
});

const CP949 = Buffer.from("425553494e4553535f4e414d453dc2f7b1d9c2f7b1d9", "hex");
const utf16 = (text: string) => Buffer.from(text, "utf16le");

test.each<[what: string, text: string | Uint8Array, fault: RegExp]>([
  ["UTF-16 and a byte-order mark", utf16(`${MARK}A=1`), /^\.env 1번째 줄: UTF-8이 아니/],
  ["UTF-16 without a mark", utf16("A=1"), /^\.env 1번째 줄: UTF-8이 아니/],
  ["big-endian UTF-16", utf16(`${MARK}A=가`).swap16(), /1번째 줄: UTF-8이 아니/],
  ["CP949", Buffer.concat([Buffer.from("A=1\r\n#\r\n"), CP949]), /^\.env 3번째 줄: UTF-8이 아니/],
  ["a byte that is cut off", Buffer.from("A=1\nB=가").subarray(0, -1), /2번째 줄: UTF-8이 아니/],
  ["a replacement character", "A=1\nB=차\ufffd근", /^\.env 2번째 줄: .*U\+FFFD/],
  ["a byte-order mark in the middle", `A=1\n${MARK}B=2`, /2번째 줄: .*U\+FEFF/],
  ["a zero-width space", "A=s3\u200bcret", /1번째 줄: .*U\+200B/],
  ["an escape", "A=\u001b[1m", /1번째 줄: .*U\+001B/],
  ["a line break of another kind", "A=1\u2028B=2", /1번째 줄: .*U\+2028/],
  ["no equals sign", "A=1\ns3cret", /2번째 줄: 이름=값 꼴/],
  ["a colon", "A: s3cret", /1번째 줄: 이름=값 꼴/],
  ["a full-width equals sign", "A＝s3cret", /1번째 줄: 이름=값 꼴/],
  ["a quote that stays open", 'A="s3\ncret"', /1번째 줄: A 값의 따옴표.*\n.*2번째 줄/],
  ["text after a quote", "A='s3' cret", /1번째 줄: A 값의 따옴표/],
])("a .env file with %s is refused with the line number", (_, text, fault) => {
  const { faults, values } = parseText(text);
  expect(faults.join("\n")).toMatch(fault);
  expect(faults.join()).not.toMatch(/s3|cret/);
  expect(values).not.toHaveProperty("BUSINESS_NAME");
});

const warningsOf = (file: EnvFile, env = file.values) => parseConfig(env, file).warnings;

test.each([
  ["BUSINESS_ADDRESS=여주 12 #101호", /^\.env 1번째 줄: BUSINESS_ADDRESS 값에서 #부터/],
  ["PORT=3000 # the port", /^\.env 1번째 줄: PORT/],
  ["PORT=3000\nPORT=3001", /^\.env 2번째 줄: PORT 설정이 두 번/],
  ["SMPT_HOST=s3cret", /^SMPT_HOST: .*SMTP_HOST/],
  ["smtp_host=s3cret", /^smtp_host: .*SMTP_HOST/],
  ["SITEURL=s3cret", /^SITEURL: .*SITE_URL/],
  ["SMS-TO=s3cret", /^SMS-TO: .*SMS_TO/],
  ["POTR=s3cret", /^POTR: .*PORT/],
  ["SMTP_USERNAME=s3cret", /^SMTP_USERNAME: .*\.env\.example/],
  ["NODE_OPTIONS=s3cret", /^NODE_OPTIONS: 없는 설정이라/],
  ["POOL=s3cret", /^POOL: 없는 설정이라 .*\.env\.example/],
  ["BUSINESS_NAME=“s3cret”", /^BUSINESS_NAME: .*둥근 따옴표/],
])("the .env file %j is read with a warning", (text, warning) => {
  const file = parseText(text);
  const warnings = warningsOf(file);
  expect(warnings).toEqual([expect.stringMatching(warning)]);
  expect(warnings.join()).not.toMatch(/s3cret/);
});

test("a variable gives a warning only if it looks like a setting of this site", () => {
  const others = { HOST: "a", MAIL: "/var/mail/site", TZ: "Asia/Seoul", NODE_ENV: "production" };
  const file = parseText("POSTGRES_PASSWORD=a\nCOMPOSE_PROFILES=a\nTZ=a\nSMTP_HOTS=");
  expect(warningsOf(file, { ...others, ...file.values })).toEqual([]);
  // A container gets its settings as environment variables, without a file.
  const inContainer = { ...others, SMTP_PASS: "s3cret", POSTGRES_URL: "s3cret", DB_HOST: "s3cret" };
  expect(warningsOf(parseText(""), inContainer).join("\n")).toMatch(
    /^SMTP_PASS: .*\nPOSTGRES_URL: .*\nDB_HOST: /,
  );
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
const OF_THE_FILE = "TZ=Asia/Seoul\nPORT=3001\nHOSTNAME=127.0.0.1\nBUSINESS_NAME='\"운전\" 연수'";

const QUOTED = { BUSINESS_NAME: ' "연수" ', PORT: "'3003'" };
const SERVICES = {
  ...{ SMTP_PORT: "tcp://a:1", DB_PORT: "tcp://b:1", DB_SERVICE_HOST: "b", DB_PORT_1_TCP: "1" },
};
const ANOTHER_PORT = { PORT: "3002", TZ: "UTC" };
const COMMENTED = { BUSINESS_NAME: "연수 # 상호" };
const TWO_WARNINGS = "3001,127.0.0.1,연수 # 상호,BUSINESS_NAME,BUSINESS_NAME";
test.each<[what: string, given: Record<string, string>, said: string]>([
  ["the file alone", {}, '3001,127.0.0.1,"운전" 연수'],
  ["the environment before the file", ANOTHER_PORT, '3002,127.0.0.1,"운전" 연수,PORT'],
  ["the file, not the machine's name", { HOSTNAME: "3f2a9c" }, '3001,127.0.0.1,"운전" 연수'],
  ["the environment's own address", { HOSTNAME: "::" }, '3001,::,"운전" 연수,HOSTNAME'],
  ["the file, not the variables of Kubernetes services", SERVICES, '3001,127.0.0.1,"운전" 연수'],
  ["the environment without Docker's quotes", QUOTED, "3003,127.0.0.1,연수,PORT,BUSINESS_NAME"],
  ["the environment with Docker's comment", COMMENTED, TWO_WARNINGS],
])("a process reads its settings from %s", (_, given, said) => {
  expect(readInProcess(writeEnvFile(OF_THE_FILE), given)).toBe(said);
});

test("a process warns of a settings file that it does not read", () => {
  const names = ".env.local,.env.production,.env.production.local,.env.txt,env";
  const said = readInProcess((file) => {
    for (const name of names.split(",")) writeFileSync(resolve(file, "..", name), "PORT=3001");
  });
  expect(said).toBe(`3000,0.0.0.0,,${names}`);
});

test("a process reports faults of the file and of the settings together", () => {
  const said = readInProcess(writeEnvFile("PORT=soon\nHOSTNAME=practice\n가나다"));
  expect(said).toMatch(/\.env 3번째 줄:[\s\S]*PORT:[\s\S]*HOSTNAME:/);
  const withComment = readInProcess(writeEnvFile(""), { PORT: "3000 # the port" });
  expect(withComment).toMatch(/PORT: 0부터.*\n.*PORT: .*설명\(#\)/);
  expect(readInProcess((file) => mkdirSync(file))).toMatch(
    /\.env: 읽을 수 없습니다\(EISDIR\).*sudo/,
  );
  const toNowhere = readInProcess((file) => symlinkSync("/nowhere/site.env", file));
  expect(toNowhere).toMatch(/\.env: 읽을 수 없습니다\(ENOENT\)/);
});
