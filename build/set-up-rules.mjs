/** What build/set-up.mjs decides, apart from doing it. Plain JavaScript for the same reason. */

/**
 * Why no Node at hand runs this project, as a sentence; undefined when one does.
 *   own      the version of the Node among the packages, undefined where none fits this machine
 *   running  the version of the Node that runs this: process.versions.node
 *   needed   `engines.node` of package.json, ">=24"
 *   machine  "linux-x64"
 */
export function nodeFault({ own, running, needed, machine }) {
  const major = (version) => Number(version.replace(/^\D+/, "").split(".")[0]);
  if (own !== undefined || major(running) >= major(needed)) return undefined;
  return (
    `This project needs Node ${major(needed)} or newer. Node ${running} is too old, and there is no Node ` +
    `package for ${machine}: install a newer Node from https://nodejs.org and run this again.`
  );
}

/** Whether to ask before a system package is installed: only where a person reads along. */
export function asksFirst({ isTerminal, ci }) {
  return isTerminal && !ci;
}
