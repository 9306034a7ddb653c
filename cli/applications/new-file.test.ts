import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newFile } from "#cli/applications/new-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "new-file-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a file is there whole, for its owner's eyes alone", async () => {
  const file = join(folder, "a.csv");
  await newFile(file, (aside) => {
    expect(existsSync(file)).toBe(false);
    expect(statSync(aside).mode & 0o777).toBe(0o600);
    writeFileSync(aside, "all of it");
  });
  expect(readFileSync(file, "utf8")).toBe("all of it");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["a.csv"]);
});

test("a file that exists is left alone", async () => {
  const file = join(folder, "a.csv");
  writeFileSync(file, "mine");
  await expect(newFile(file, (aside) => writeFileSync(aside, "other"))).rejects.toThrow(
    "이미 있어",
  );
  expect(readFileSync(file, "utf8")).toBe("mine");
  expect(readdirSync(folder)).toEqual(["a.csv"]);
});

test("one that came meanwhile is left alone too", async () => {
  const file = join(folder, "a.csv");
  const writing = newFile(file, () => writeFileSync(file, "mine"));
  await expect(writing).rejects.toThrow("이미 있어");
  expect(readFileSync(file, "utf8")).toBe("mine");
});

test("a write that fails leaves nothing behind", async () => {
  const file = join(folder, "a.csv");
  const failing = newFile(file, () => {
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(readdirSync(folder)).toEqual([]);
});

test("a folder that is not there is told in a sentence", async () => {
  await expect(newFile(join(folder, "none", "a.csv"), () => undefined)).rejects.toThrow(
    "폴더가 없습니다. (ENOENT)",
  );
});
