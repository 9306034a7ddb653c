import { expect, test } from "vitest";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { grouped } from "#lib/storage/group-commit.ts";

/** Commits that are remembered; "bad" makes its whole group fail, "out" says that the store is out. */
function recorder() {
  const commits: string[][] = [];
  const group = grouped<string, string>(async (items) => {
    commits.push([...items]);
    await Promise.resolve();
    if (items.includes("bad")) throw new Error("bad item");
    if (items.includes("out")) throw new StorageUnavailable("It is out.", "full");
    return items.map((item) => item.toUpperCase());
  });
  return { commits, ...group };
}

test("what is submitted in one turn is committed together, each with its own result", async () => {
  const { commits, submit } = recorder();
  expect(await Promise.all(["a", "b", "c"].map(submit))).toEqual(["A", "B", "C"]);
  expect(commits).toEqual([["a", "b", "c"]]);
});

test("what comes while a group is committed goes into the next", async () => {
  const { commits, submit } = recorder();
  const first = submit("a").then(() => submit("b"));
  expect(await first).toBe("B");
  expect(commits).toEqual([["a"], ["b"]]);
});

test("a large crowd is committed in groups of bounded size", async () => {
  const { commits, submit } = recorder();
  const crowd = Array.from({ length: 40 }, (_, index) => `${index}`);
  expect(await Promise.all(crowd.map(submit))).toEqual(crowd);
  expect(commits.map(({ length }) => length)).toEqual([16, 16, 8]);
});

test("a faulty item fails alone", async () => {
  const { submit } = recorder();
  const results = await Promise.allSettled(["a", "bad", "c"].map(submit));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});

test("when the store is out, all that wait are told at once, without a try each", async () => {
  const { commits, submit } = recorder();
  const crowd = ["out", ...Array.from({ length: 99 }, (_, index) => `${index}`)];
  const results = await Promise.allSettled(crowd.map(submit));
  expect(results.every(({ status }) => status === "rejected")).toBe(true);
  expect(commits).toHaveLength(1);
  expect(await submit("later")).toBe("LATER");
});

test("idle waits for what was submitted", async () => {
  const { commits, submit, idle } = recorder();
  void submit("a");
  await idle();
  expect(commits).toEqual([["a"]]);
});
