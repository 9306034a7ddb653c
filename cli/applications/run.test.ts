import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { run } from "#cli/applications/run.ts";

const said: string[] = [];
beforeEach(() => {
  said.length = 0;
  const note = (text: string | Uint8Array) => said.push(String(text)) > 0;
  vi.spyOn(process.stdout, "write").mockImplementation(note);
  vi.spyOn(process.stderr, "write").mockImplementation(note);
});
afterEach(() => vi.restoreAllMocks());

test.each([
  [[]],
  [["lists"]],
  [["list", "--limit", "0"]],
  [["list", "--state", "x"]],
  [["show"]],
  [["resend", "1"]],
  [["export"]],
  [["purge", "all"]],
  [["restore"]],
  [["health"]],
])("%j is no command, and ends with 2 and how to use it", async (args) => {
  expect(await run(args)).toBe(2);
  expect(said.join("")).toContain("npm run applications");
});

test("help lists every command and ends with 0", async () => {
  expect(await run(["help"])).toBe(0);
  const commands = "list show resend weekly test-send export backup restore purge forget";
  for (const name of commands.split(" ")) expect(said.join("")).toContain(`  ${name}`);
});
