import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

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
