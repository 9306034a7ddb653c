/** What build/set-up.mjs decides, apart from doing it. Plain JavaScript for the same reason. */

/**
 * Why no Node at hand runs this project, as a sentence; undefined when one does.
 *   own       the version of the Node among the packages, undefined where none runs on this machine
 *   ownFault  what it says where it does not run
 *   running   the version of the Node that runs this: process.versions.node
 *   needed    `engines.node` of package.json, ">=24"
 *   machine   "linux-x64"
 */
export function nodeFault({ own, ownFault, running, needed, machine }) {
  const major = (version) => Number(version.replace(/^\D+/, "").split(".")[0]);
  if (own !== undefined || major(running) >= major(needed)) return undefined;
  const tooOld = `This project needs Node ${major(needed)} or newer. Node ${running} is too old, and `;
  const newer = "a newer Node from https://nodejs.org";
  if (ownFault === undefined)
    return `${tooOld}there is no Node package for ${machine}: install ${newer} and run this again.`;
  return (
    `${tooOld}the one among the packages does not run here (${ownFault}): install what it lacks ` +
    `(on Debian: apt-get install libatomic1), or ${newer}, and run this again.`
  );
}
