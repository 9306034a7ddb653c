/**
 * Runs a file with the project's own Node, whichever Node starts this script. Plain JavaScript, because an old Node
 * must be able to read this script.
 *   node [options] build/run.mjs FILE [ARGUMENTS]   runs the file
 *   node build/run.mjs                              only makes node_modules/.bin/node
 */
import { spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { linkOwnNode } from "./link-own-node.mjs";

const ownNode = linkOwnNode();
const [file, ...args] = process.argv.slice(2);

/** Runs the file in a child process, forwards signals to the child, and exits with the child's code. */
function runAsChild() {
  const child = spawn(ownNode, [...process.execArgv, file, ...args], { stdio: "inherit" });
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  process.on("SIGINT", () => {
    // A terminal sends SIGINT to this process and to the child.
    if (!process.stdin.isTTY) child.kill("SIGINT");
  });
  child.on("exit", (code) => process.exit(code ?? 1));
}

if (file !== undefined) {
  if (realpathSync(ownNode) === realpathSync(process.execPath)) {
    process.argv.splice(1, 2, resolve(file));
    await import(pathToFileURL(process.argv[1]));
    // Node before 22.15 has no execve, which would replace this process with the program.
  } else if (process.execve === undefined || process.platform === "win32") runAsChild();
  else process.execve(ownNode, [ownNode, ...process.execArgv, file, ...args], process.env);
}
