/** What some tests need of the machine. A test without its need is skipped, or fails if EVERY_TEST is set. */
import { spawnSync } from "node:child_process";
import { chooseMemoryFolder } from "#testing/storage/memory-folder.ts";

const canRun = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;

const NEEDS = {
  linux: () => process.platform === "linux",
  root: () => process.getuid?.() === 0,
  strace: () => canRun("strace", "-V"),
  // The right to mount a file system in a new namespace.
  mounts: () => canRun("unshare", "-rm", "mount", "-t", "tmpfs", "t", "/mnt"),
  // More than 512 MB are free in /dev/shm.
  memory: () => chooseMemoryFolder() === "/dev/shm",
};

const found = new Map<string, boolean>();

export function machineHas(need: keyof typeof NEEDS): boolean {
  if (process.env.EVERY_TEST) return true;
  const isHere = found.get(need) ?? NEEDS[need]();
  if (!isHere && !found.has(need)) process.stderr.write(`Tests that need ${need} are skipped.\n`);
  found.set(need, isHere);
  return isHere;
}
