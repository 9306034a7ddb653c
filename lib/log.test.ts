import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { z } from "zod";

/** What a process with the real log writes when it meets this error. */
function logged(error: string): string {
  const program = `import { log } from "#lib/log.ts"; log.error({ err: ${error} }, "a sentence");`;
  const args = ["--input-type=module", "--eval", program];
  return execFileSync(process.execPath, args, {
    env: { NODE_ENV: "test", LOG_LEVEL: "info" },
    encoding: "utf8",
  });
}

test("of an error nobody expected the log says the name, the code and the place, never the message", () => {
  const line = logged(
    `Object.assign(new TypeError("홍길동\\n010-1234-5678"), { code: "E_CODE", config: { auth: "a token" } })`,
  );
  expect(JSON.parse(line)).toMatchObject({
    level: "error",
    err: { name: "TypeError", code: "E_CODE" },
    msg: "a sentence",
  });
  expect(line).not.toMatch(/홍길동|5678|a token/);
});

test("of what is no error at all it says the type", () => {
  expect(JSON.parse(logged(`"홍길동"`)).err).toEqual({ name: "string" });
});

/** A process that logs this many lines, and says in the error output when it is through; its log is not read yet. */
async function floods(lines: number, then: string) {
  const program = `
    import { log } from "#lib/log.ts";
    for (let line = 0; line < ${lines}; line++) log.info({ line }, "${"a sentence ".repeat(10)}");
    console.error("through");
    ${then}`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    env: { NODE_ENV: "test", LOG_LEVEL: "info" },
  });
  await once(child.stderr, "data");
  return child;
}

test("a log that nobody reads holds up neither the process nor its end", async () => {
  const child = await floods(20_000, "process.exit(3)");
  expect(await once(child, "exit")).toEqual([3, null]);
});

test("what its reader did not take at once is written once it does, in order", async () => {
  const child = await floods(1_000, "setTimeout(() => undefined, 3_000);");
  const lines = (await text(child.stdout)).trim().split("\n");
  const numbers = lines.map(
    (line) => z.looseObject({ line: z.number() }).parse(JSON.parse(line)).line,
  );
  expect(numbers).toEqual([...Array(1_000).keys()]);
});
