/**
 * Links node_modules/.bin/node to the packaged Node, or to the current Node if the packaged Node does not start. npm
 * before 11.12 creates no such link. Plain JavaScript, because an old Node must be able to read this file.
 */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";

const isWindows = process.platform === "win32";
/** The path at which npm's scripts and the systemd unit find Node. */
const OWN_NODE_LINK = join("node_modules", ".bin", isWindows ? "node.cmd" : "node");

const realPath = (path) => (existsSync(path) ? realpathSync(path) : undefined);

/** Returns why a program does not start, or undefined if it starts. */
function startFault(program) {
  const { status, signal, error, stderr } = spawnSync(program, ["--version"], { encoding: "utf8" });
  if (status === 0) return undefined;
  // The program's file exists, so ENOENT means that the program's dynamic loader is missing.
  if (error?.code === "ENOENT") return "it needs glibc, which this system does not have";
  if (error !== undefined) return error.message;
  const [, library] = /loading shared libraries: ([^:\s]+)/.exec(stderr) ?? [];
  if (library?.startsWith("libatomic."))
    return `it lacks ${library} (Debian and Ubuntu: apt-get install libatomic1; Fedora: dnf install libatomic)`;
  if (library !== undefined) return `it lacks ${library}`;
  return stderr.trim().split("\n")[0] || `it ended with ${signal ?? status}`;
}

/** Returns the path of the packaged Node as `program`, or why it cannot be started as `fault`. */
function findPackagedNode(optionalDependencies) {
  const platform = `${isWindows ? "win" : process.platform}-${process.arch}`;
  const names = Object.keys(optionalDependencies);
  const name = names.find((each) => each.startsWith("node-") && each.endsWith(`-${platform}`));
  if (name === undefined) return { fault: `No package brings Node for ${platform}.` };
  if (realPath("node_modules") === undefined)
    return { fault: "Nothing is installed yet: run npm ci." };
  const program = realPath(join("node_modules", name, "bin", isWindows ? "node.exe" : "node"));
  if (program === undefined)
    return {
      fault: `The package ${name} is not installed: npm was told to omit optional packages, or could not fetch it. Run npm ci --include=optional.`,
    };
  const fault = program === realPath(process.execPath) ? undefined : startFault(program);
  return fault === undefined ? { program } : { fault: `${name} does not start: ${fault}.` };
}

/** Makes OWN_NODE_LINK point to the program. Returns false if OWN_NODE_LINK points there already. */
function changeLink(program) {
  const folder = dirname(OWN_NODE_LINK);
  const call = `@"${program}" %*\r\n`;
  const isThere = isWindows
    ? existsSync(OWN_NODE_LINK) && readFileSync(OWN_NODE_LINK, "utf8") === call
    : realPath(OWN_NODE_LINK) === realpathSync(program);
  if (isThere) return false;
  mkdirSync(folder, { recursive: true });
  // A rename is atomic: no script finds an existing link missing while it is replaced.
  const fresh = `${OWN_NODE_LINK}.${process.pid}`;
  const isPackaged = program.startsWith(realpathSync("node_modules"));
  if (isWindows) writeFileSync(fresh, call);
  else symlinkSync(isPackaged ? relative(realpathSync(folder), program) : program, fresh);
  renameSync(fresh, OWN_NODE_LINK);
  return true;
}

/** Links to the Node that runs this project, and returns its path. Ends the process if no Node is new enough. */
export function linkOwnNode() {
  const { engines, optionalDependencies = {} } = JSON.parse(readFileSync("package.json", "utf8"));
  const { program, fault } = findPackagedNode(optionalDependencies);
  const isNewEnough =
    Number.parseInt(process.versions.node, 10) >= Number(engines.node.replace(">=", ""));
  if (program === undefined && !isNewEnough) {
    console.error(
      `This project needs Node ${engines.node}, and this is Node ${process.versions.node}. ${fault} Or install a newer Node from https://nodejs.org.`,
    );
    process.exit(1);
  }
  const own = program ?? process.execPath;
  let isChanged = false;
  try {
    isChanged = changeLink(own);
  } catch {
    // A user who may not write to node_modules gets no link, but can start the program without it.
  }
  if (fault !== undefined && isChanged)
    console.error(
      `${fault} The Node ${process.versions.node} of this machine runs the site instead.`,
    );
  return own;
}
