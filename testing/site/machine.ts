/** What some tests need of the machine. `npm test` ends with a list of those that it left out: testing/untried-tests.ts. */
import { spawnSync } from "node:child_process";
import { chooseMemoryFolder } from "#testing/storage/memory-folder.ts";

const canRun = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;

const NEEDS = {
  linux: { isHere: () => process.platform === "linux", remedy: "Linux" },
  root: { isHere: () => process.getuid?.() === 0, remedy: "root" },
  strace: { isHere: () => canRun("strace", "-V"), remedy: "strace" },
  mounts: {
    isHere: () => canRun("unshare", "-rm", "mount", "-t", "tmpfs", "t", "/mnt"),
    remedy: "unshare, and the right to mount in a namespace of its own",
  },
  memory: {
    isHere: () => chooseMemoryFolder() === "/dev/shm",
    remedy: "/dev/shm with 512 MB",
  },
};

type Need = keyof typeof NEEDS;

const found = new Map<Need, boolean>();

export function machineHas(need: Need): boolean {
  const isHere = found.get(need) ?? NEEDS[need].isHere();
  found.set(need, isHere);
  return isHere;
}

/** What this machine lacks, by the call with which a test asks for it. */
export const findLacking = () =>
  (Object.keys(NEEDS) as Need[])
    .filter((need) => !machineHas(need))
    .map((need) => ({ call: `machineHas("${need}")`, remedy: NEEDS[need].remedy }));
