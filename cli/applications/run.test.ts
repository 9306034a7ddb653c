import { beforeEach, expect, test, vi } from "vitest";
import { runCommand } from "#cli/applications/run.ts";

const said: string[] = [];
beforeEach(() => {
  said.length = 0;
  vi.spyOn(console, "info").mockImplementation((line) => void said.push(line));
  vi.spyOn(console, "error").mockImplementation((line) => void said.push(line));
});

test.each([
  [[]],
  [["lists"]],
  [["list", "7K3MPQ9X"]],
  [["list", "--limit", "0"]],
  [["list", "--limit", "1.5"]],
  [["list", "--limit", "many"]],
  [["list", "--state", "x"]],
  [["show"]],
  [["resend", "1"]],
  [["done"]],
  [["export"]],
  [["export", "a.csv", "b.csv"]],
  [["backup", "a", "b"]],
  [["backup", "--nightly"]],
  [["forget", "nobody"]],
  [["restore"]],
  [["restore", "a", "b"]],
  [["test-send", "fax"]],
  [["health"]],
])("the arguments %j are refused with the usage and exit code 2", async (args) => {
  expect(await runCommand(args)).toBe(2);
  expect(said.join("\n")).toContain("npm run applications");
});

test("help lists every command and exits with 0", async () => {
  expect(await runCommand(["help"])).toBe(0);
  const commands = "list show resend done test-send export backup restore forget";
  for (const name of commands.split(" ")) expect(said.join("\n")).toContain(`\n${name} `);
});
