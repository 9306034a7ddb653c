import { describe, expect, test } from "vitest";
import { nodeFault } from "#build/set-up-rules.mjs";

describe("the Node at hand", () => {
  const at = { needed: ">=24", machine: "linux-riscv64", ownFault: undefined };

  test("does when a package brings one, however old the one is that runs the set-up", () => {
    expect(nodeFault({ ...at, own: "v26.10.0", running: "18.20.4" })).toBeUndefined();
  });

  test("does without a package when it is new enough itself", () => {
    expect(nodeFault({ ...at, own: undefined, running: "24.0.0" })).toBeUndefined();
  });

  test("is too old where no package fits, and a sentence says what to do", () => {
    const sentence = nodeFault({ ...at, own: undefined, running: "20.19.2" });
    expect(sentence).toContain("needs Node 24 or newer");
    expect(sentence).toContain("Node 20.19.2 is too old");
    expect(sentence).toContain("linux-riscv64");
    expect(sentence).toContain("https://nodejs.org");
  });

  test("is too old where the package lacks a library, and the sentence names it", () => {
    const ownFault = "node: error while loading shared libraries: libatomic.so.1: cannot open";
    const sentence = nodeFault({ ...at, own: undefined, ownFault, running: "20.19.2" });
    expect(sentence).toContain("libatomic.so.1");
    expect(sentence).toContain("apt-get install libatomic1");
  });
});
