/**
 * Finds the Node that runs this project: the packaged one, or the current one where that does not start.
 * Plain JavaScript, because an old Node reads it. npm before 11.12 installs the package without its link in .bin.
 */
import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";

const isWindows = process.platform === "win32";
/** The program that npm's scripts start as `node`, and that the systemd unit starts. */
const LINK = join("node_modules", ".bin", isWindows ? "node.cmd" : "node");

/** @param {string} path */
function realPath(path) {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Returns the reason why a program does not start; undefined where it starts.
 * @param {string} program
 */
function startFault(program) {
  const { status, signal, error, stderr } = spawnSync(program, ["--version"], { encoding: "utf8" });
  if (status === 0) return undefined;
  // The program exists, so its loader is the missing file.
  if (error?.code === "ENOENT") return "it needs glibc, which this system does not have";
  if (error !== undefined) return error.message;
  const [, library] = /loading shared libraries: ([^:\s]+)/.exec(stderr) ?? [];
  if (library?.startsWith("libatomic."))
    return `it lacks ${library} (Debian and Ubuntu: apt-get install libatomic1; Fedora: dnf install libatomic)`;
  if (library !== undefined) return `it lacks ${library}`;
  return stderr.trim().split("\n")[0] || `it ended with ${signal ?? status}`;
}

/**
 * The Node among the packages, or why there is none that starts.
 * @param {Record<string, string>} optionalDependencies
 * @returns {{ program: string, fault?: undefined } | { program?: undefined, fault: string }}
 */
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

/**
 * Points the link at a program. Returns whether it pointed elsewhere before.
 * @param {string} program
 */
function changeLink(program) {
  const folder = dirname(LINK);
  const call = `@"${program}" %*\r\n`;
  const isThere = () =>
    isWindows ? readFileSync(LINK, "utf8") === call : realpathSync(LINK) === realpathSync(program);
  try {
    if (isThere()) return false;
  } catch {
    // The link is missing or broken.
  }
  mkdirSync(folder, { recursive: true });
  // A rename is atomic: a script that starts meanwhile sees a complete link.
  const fresh = `${LINK}.${process.pid}`;
  const isPackaged = program.startsWith(realpathSync("node_modules"));
  if (isWindows) writeFileSync(fresh, call);
  else symlinkSync(isPackaged ? relative(realpathSync(folder), program) : program, fresh);
  renameSync(fresh, LINK);
  return true;
}

/**
 * Finds the Node that runs this project, makes the link to it, and returns its path. Ends the process with a sentence
 * where there is none.
 */
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
  } catch (error) {
    // A user who may not write to node_modules can still run the program.
    if (!["EACCES", "EPERM", "EROFS"].includes(error.code)) throw error;
  }
  if (fault !== undefined && isChanged)
    console.error(
      `${fault} The Node ${process.versions.node} of this machine runs the site instead.`,
    );
  return own;
}
