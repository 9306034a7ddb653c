import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { z } from "zod";
import { readableLine } from "#lib/log.ts";

const argsOf = (program: string) => ["--input-type=module", "--eval", program];
const env = { NODE_ENV: "test", LOG_LEVEL: "info" } as const;

const logOf = (program: string) =>
  execFileSync(process.execPath, argsOf(program), { env, encoding: "utf8" });

const FAULT = `Object.assign(new TypeError("홍길동\\n    at 010-1234-5678"), { code: "E_CODE", config: { auth: "a token" } })`;
test.for<[error: string, said: object]>([
  [FAULT, { name: "TypeError", code: "E_CODE", at: expect.anything() }],
  [`"홍길동"`, { name: "string" }],
])("an error is logged without its message: $1 [41]", ([error, said]) => {
  const program = `import { log } from "#lib/log.ts"; log.error({ err: ${error} }, "a sentence");`;
  const line = logOf(program);
  const time = expect.stringMatching(/^[\d-]+T[\d:.]+Z$/);
  expect(JSON.parse(line)).toMatchObject({ level: "error", time, msg: "a sentence" });
  expect(JSON.parse(line).err).toEqual(said);
  expect(line).not.toMatch(/홍길동|5678|a token/);
});

test("values of a request stay on one line of the log [57]", () => {
  const forged = `\\n{\\"level\\":\\"info\\",\\"msg\\":\\"forged\\"}\\u001b[2J\\u2028`;
  const program = `import { log } from "#lib/log.ts";
    log.warn({ path: "${forged}" + "x".repeat(100_000) }, "${forged}" + "y".repeat(100_000));
    log.warn("${forged}" + "z".repeat(100_000));`;
  const lines = logOf(program).trim().split("\n");
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect(line.length).toBeLessThan(1_500);
    expect(line).not.toMatch(/[\p{Cc}]/u);
    expect(JSON.parse(line)).toMatchObject({
      level: "warn",
      msg: expect.stringMatching(/characters\)$/),
    });
  }
});

/** Starts a process that logs the lines to a pipe that nobody reads. Resolves once it has logged them all. */
async function floodLog(lines: number, then: string) {
  const program = `
    import { log } from "#lib/log.ts";
    for (let line = 0; line < ${lines}; line++) log.info({ line }, "${"a sentence ".repeat(10)}");
    console.error("through");
    ${then}`;
  const child = spawn(process.execPath, argsOf(program), { env });
  await once(child.stderr, "data");
  return child;
}

test("a log that nobody reads delays neither the process nor its exit", async () => {
  const child = await floodLog(20_000, "process.exit(3)");
  expect(await once(child, "exit")).toEqual([3, null]);
});

test("a terminal whose output is paused does not stop the process", async () => {
  const program = `import { log } from "#lib/log.ts";
    for (let line = 0; line < 20_000; line++) log.info({ line }, "a sentence");
    console.error("through");`;
  const run = `exec ${process.execPath} --input-type=module --eval "$PROGRAM" 2>&3`;
  const child = spawn("script", ["-qec", run, "/dev/null"], {
    env: { ...env, PROGRAM: program },
    stdio: ["pipe", "pipe", "inherit", "pipe"],
  });
  await once(child.stdio[3] ?? child, "data");
  child.stdout?.resume();
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("log lines for a slow reader keep their order", async () => {
  const child = await floodLog(1_000, "process.stdin.resume();");
  const numbers: number[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    numbers.push(z.looseObject({ line: z.number() }).parse(JSON.parse(line)).line);
    if (numbers.length === 1_000) child.stdin.end();
  }
  expect(numbers).toEqual([...Array(1_000).keys()]);
});

test("a terminal that has closed does not end the process", async () => {
  const program = `
    process.stdout.isTTY = true;
    const { log } = await import("#lib/log.ts");
    for (let line = 0; line < 10; line++) {
      log.info({ line }, "a sentence");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    process.exit(3);`;
  const child = spawn(process.execPath, argsOf(program), { env });
  await once(child.stdout, "data");
  child.stdout.destroy();
  expect(await once(child, "exit")).toEqual([3, null]);
});

test("a terminal gets readable lines without control characters [57]", () => {
  const time = new Date(2026, 11, 1, 9, 30, 12).toISOString();
  const line = (fields: object) => readableLine(JSON.stringify({ level: "info", time, ...fields }));
  expect(line({ channel: "sms", msg: "taken" })).toBe('09:30:12 info  taken {"channel":"sms"}\n');
  const msg = "one\ntwo\r\u001b[2J\u009b1m\u202e";
  expect(line({ path: msg, msg }).slice(0, -1)).not.toMatch(/\p{C}/u);
});
