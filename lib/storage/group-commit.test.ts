import { expect, test } from "vitest";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { groupCommits } from "#lib/storage/group-commit.ts";

const numbersBelow = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);

const HUNDRED = ["out", ...numbersBelow(99)];

/** All `items` are submitted in one turn of the event loop; `groups` are the sizes of their commits. */
test.for<[what: string, items: string[], groups: number[], rejected: string[]]>([
  ["a small group is committed together", ["a", "b", "c"], [3], []],
  ["40 items are committed in groups of 16", numbersBelow(40), [16, 16, 8], []],
  ["only a faulty item is rejected", ["a", "bad", "c"], [3, 1, 1, 1], ["bad"]],
  ["only a refused statement is rejected", ["a", "refused", "c"], [3, 1, 1, 1], ["refused"]],
  ["an unavailable store rejects all items", HUNDRED, [16], HUNDRED],
])("a group commit leaves no item without an answer: %s", async ([, items, groups, rejected]) => {
  const commits: string[][] = [];
  const { submit, waitUntilIdle } = groupCommits<string, string>(async (group) => {
    commits.push([...group]);
    await Promise.resolve();
    if (group.includes("bad")) throw new Error("bad item");
    if (group.includes("refused")) throw new StorageUnavailable("No.", "bad-statement");
    if (group.includes("out")) throw new StorageUnavailable("It is out.", "full");
    return group.map((item) => item.toUpperCase());
  });
  const settled = await Promise.allSettled(items.map(submit));
  const results = settled.map((each) => each.status === "fulfilled" && each.value);
  expect(results).toEqual(items.map((item) => !rejected.includes(item) && item.toUpperCase()));
  expect(commits.map(({ length }) => length)).toEqual(groups);
  const first = submit("a").then(() => submit("b"));
  expect(await first).toBe("B");
  void submit("last");
  await waitUntilIdle();
  expect(commits.slice(groups.length)).toEqual([["a"], ["b"], ["last"]]);
});
