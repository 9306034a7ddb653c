import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { HOUR, MINUTE, SECOND } from "#lib/application/durations.ts";
import { FIELD_NAMES, POST_PATHS, shortFieldLabel } from "#lib/application/fields.ts";
import { parseApplication } from "#lib/application/rules.ts";
import { PROVIDER_CHANNELS } from "#lib/channels/names.ts";
import { MAX_SEGMENTS } from "#lib/channels/sms/segments.ts";
import { CHANNEL_WORDS } from "#lib/channels/words.ts";
import { koreanCount, withObjectParticle, withSubjectParticle } from "#lib/content/korean-words.ts";
import {
  FAILOVER_AFTER_MS,
  FIRST_PAUSES_MS,
  GIVE_UP_DAYS,
  LATER_PAUSE_MS,
  OVERDUE_AFTER_MS,
  REPEAT_MAIL_AFTER_MS,
  SEARCH_PAUSES_MS,
  STATUS_DEADLINE_MS,
  stuckAfterMs,
} from "#lib/delivery/retry.ts";
import { settingsSchema } from "#lib/environment.ts";
import type { Route } from "#lib/storage/stored-application.ts";

const FOLDERS = "{app,build,cli,components,deploy,e2e,lib,measure,server,testing}";
const FILES = [
  ...globSync("*.{ts,mjs,json}"),
  ...globSync(`${FOLDERS}/**/*.*`, { exclude: ["**/node_modules/**"] }),
];
const DOCUMENTS = globSync(["*.md", "docs/**/*.md"]);
/** Files of Next that a document names although this project does not have them. */
const NOT_OURS = ["proxy.ts"];

/** The files that a name may mean: a whole path such as `lib/config.ts`, or the end of a path. */
const matchingFiles = (name: string) =>
  FILES.filter((file) => file === name || file.endsWith(`/${name}`));

/** The files in texts and commands: `name.ts`, `vitest run folder/name.test.ts`. */
const mentionedFiles = (text: string) =>
  text.match(/(?<=[`\s])[\w.@-][\w./@-]*\.(?:tsx?|mjs|css|sh|c)(?=[`\s])/g) ?? [];

test.each(DOCUMENTS)("the files that %s mentions exist", (document) => {
  const names = mentionedFiles(readFileSync(document, "utf8"));
  const missing = names.filter(
    (name) => !NOT_OURS.includes(name) && matchingFiles(name).length === 0,
  );
  expect(missing).toEqual([]);
});

/** The anchors of a document, as GitHub makes them from its headings. */
const anchorsIn = (file: string) =>
  [...readFileSync(file, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );

test.each(DOCUMENTS)("the links of %s lead to files and headings", (document) => {
  const links = readFileSync(document, "utf8").matchAll(/\]\((?!https:)([^)#]*)(?:#([^)]+))?\)/g);
  const broken = [...links].filter(([, path = "", anchor]) => {
    const file = path === "" ? document : join(dirname(document), path);
    return !existsSync(file) || (anchor !== undefined && !anchorsIn(file).includes(anchor));
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

test("docs/README.md leads to every document in docs/", () => {
  const index = readFileSync("docs/README.md", "utf8");
  const pages = globSync("docs/*.md").map((page) => basename(page));
  const missing = pages.filter((page) => page !== "README.md" && !index.includes(`](${page})`));
  expect(missing).toEqual([]);
});

test("docs/decisions/README.md lists each decision with its date", () => {
  const index = readFileSync("docs/decisions/README.md", "utf8");
  const rows = globSync("docs/decisions/0*.md")
    .toSorted()
    .map((page) => {
      const [, number, title, date] =
        /^# (\d+)\. (.+)\n\nAccepted, in force since ([\d-]{10})\.\n/.exec(
          readFileSync(page, "utf8"),
        ) ?? [];
      return `| ${number} | [${title}](${basename(page)}) | ${date} |`;
    });
  expect(index.match(/^\| \d.*$/gm)).toEqual(rows);
});

test("the application that README.md sends with curl is valid", () => {
  const [, path, body = ""] =
    /^curl http:\/\/localhost:3000(\S+) [^']*'[^']*' --data '([^']+)'$/m.exec(
      readFileSync("README.md", "utf8"),
    ) ?? [];
  expect(path).toBe(POST_PATHS.dialog);
  expect(parseApplication("dialog", JSON.parse(body))).toMatchObject({ ok: true });
});

test("the rehearsal runs each named block of commands in the documents", () => {
  const blocks = globSync("docs/*.md").flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/^```sh (.+)$/gm)].map(([, name]) => name),
  );
  const runs = globSync("testing/deploy/*.ts").flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/runManualBlock\(\s*"([^"]+)"/g)].map(
      ([, name]) => name,
    ),
  );
  expect(blocks.toSorted()).toEqual([...new Set(runs)].toSorted());
});

test("the npm scripts that the documents mention exist", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const named = DOCUMENTS.flatMap((document) =>
    [...readFileSync(document, "utf8").matchAll(/npm run (?:--silent )?([a-z][\w:-]*)/g)].map(
      ([, name = ""]) => name.replace(/:$/, ""),
    ),
  );
  expect(named.length).toBeGreaterThan(40);
  // `bench` means every `npm run bench:…`.
  const known = [...Object.keys(scripts), "bench"];
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});

/** The numbers at the end of the titles of tests, of the rules of the delivery, and of the rehearsal. */
const numbersInTests = FILES.filter((file) =>
  /\.(test|spec)\.ts$|^testing\/(deploy\/|delivery\/rules)/.test(file),
).flatMap(
  (file) => readFileSync(file, "utf8").match(/(?<= (\[\d+\])*\[)\d+(?=\](\[\d+\])*["`])/g) ?? [],
);

test("docs/faults.md has exactly the promises whose numbers end titles of tests", () => {
  const rows = readFileSync("docs/faults.md", "utf8").matchAll(/^- \*\*(\d+)\*\* /gm);
  const numbers = [...rows].map(([, number = ""]) => Number(number));
  expect(numbers.length).toBeGreaterThan(80);
  expect(numbers.toSorted((a, b) => a - b)).toEqual(
    [...new Set(numbersInTests.map(Number))].toSorted((a, b) => a - b),
  );
});

test("docs/owner.md names every field of a text message", () => {
  const [row = ""] = readFileSync("docs/owner.md", "utf8").match(/문자 한 통\..*/) ?? [];
  const labels = FIELD_NAMES.map(shortFieldLabel);
  expect(labels.filter((label) => !row.includes(label))).toEqual([]);
});

test.each(PROVIDER_CHANNELS)("docs/owner.md explains the alarms about the channel %s", (name) => {
  const word = CHANNEL_WORDS[name];
  const owner = readFileSync("docs/owner.md", "utf8");
  expect(owner).toContain(`${withObjectParticle(word)} 보내지 못하고 있습니다`);
  expect(owner).toContain(`에 ${withSubjectParticle(word)} 전달되지 않습니다`);
});

test.each(["sms", "mail"] as const satisfies Route[])(
  "docs/owner.md explains the mark of an application that did not come by %s",
  (route) =>
    expect(readFileSync("docs/owner.md", "utf8")).toContain(`${CHANNEL_WORDS[route]} 대신`),
);

const minutes = (ms: number) => `${ms / MINUTE} minutes`;
const searchTimes = new Intl.ListFormat("en-GB").format(
  SEARCH_PAUSES_MS.map(
    (_, index) =>
      `${SEARCH_PAUSES_MS.slice(0, index + 1).reduce((sum, ms) => sum + ms, 0) / MINUTE}`,
  ),
);
const { RETENTION_DAYS, SMS_HOURLY_LIMIT, SMS_DAILY_LIMIT } = settingsSchema.parse({});
const firstPause = `after ${(FIRST_PAUSES_MS[0] ?? 0) / SECOND} seconds at first`;
test.each([
  ["README.md", `for ${GIVE_UP_DAYS} days: ${firstPause}, every ${minutes(LATER_PAUSE_MS)} in the`],
  ["README.md", `fails for ${minutes(FAILOVER_AFTER_MS)}`],
  ["docs/commands.md", `\`test-send ${PROVIDER_CHANNELS.join("` · `")}\``],
  ["docs/glossary.md", `a way to the owner: \`${PROVIDER_CHANNELS.join("`, `")}\`, or`],
  ["docs/owner.md", `${GIVE_UP_DAYS}일 동안 다시 보냈지만`],
  ["docs/owner.md", `${GIVE_UP_DAYS}일 뒤에는 다시 보내기를 멈추고`],
  ["docs/owner.md", `답이 없으면 ${FAILOVER_AFTER_MS / MINUTE}분까지`],
  ["docs/owner.md", `한 시간 ${SMS_HOURLY_LIMIT}개, 하루 ${SMS_DAILY_LIMIT}개`],
  ["docs/owner.md", `길어도 번호 하나에 ${koreanCount(MAX_SEGMENTS)} 개를`],
  ["docs/owner.md", `전해 드린 뒤 ${RETENTION_DAYS}일이`],
  ["docs/reliability.md", `after ${GIVE_UP_DAYS} days in vain`],
  ["docs/reliability.md", `asked for ${minutes(FAILOVER_AFTER_MS)}`],
  ["docs/reliability.md", `after ${minutes(STATUS_DEADLINE_MS)} without a confirmation`],
  ["docs/faults.md", `arrived after ${minutes(STATUS_DEADLINE_MS)}`],
  ["docs/faults.md", `reported by status within ${minutes(stuckAfterMs(1))}`],
  ["docs/faults.md", `retried for ${GIVE_UP_DAYS} days`],
  [
    "docs/decisions/0012-notices-and-messages.md",
    `repeated ${minutes(REPEAT_MAIL_AFTER_MS)} after`,
  ],
  ["docs/decisions/0012-notices-and-messages.md", `after ${searchTimes} minutes, because`],
  ["docs/operations.md", `has waited for ${OVERDUE_AFTER_MS / HOUR} hours`],
  ["docs/operations.md", `for ${minutes(stuckAfterMs(1))} (${stuckAfterMs(2) / MINUTE} with`],
  ["docs/mail.md", `waited for ${minutes(stuckAfterMs(1))}`],
])("%s promises what the product does: %s", (document, promise) => {
  expect(readFileSync(document, "utf8").replace(/\s+/g, " ")).toContain(promise);
});
