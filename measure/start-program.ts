import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";

/** Starts a program, and resolves when the program answers at `url`. */
export async function startProgram(
  url: string,
  [command = "", ...args]: string[],
  options: SpawnOptions,
) {
  const child = spawn(command, args, options);
  while (!(await fetch(url).catch(() => undefined))) {
    if (child.exitCode !== null) throw new Error(`${command} ${args.join(" ")} did not come up.`);
    await pause(50);
  }
  const stop = async () => {
    child.kill();
    await once(child, "exit");
  };
  return { url, stop };
}
