/**
 * Names in the lockfile the optional packages of other platforms that npm left out because the registry
 * it asked does not have them: `npm ci` refuses a lockfile without them, on every platform. They are
 * named by the exact version that their parent asks for, without a checksum, and only where npm left
 * a gap. Run after `npm install` with `npm run lockfile`.
 */
import { readFileSync, writeFileSync } from "node:fs";

const LOCK = "package-lock.json";
const SYSTEMS = ["android", "darwin", "freebsd", "linux", "openharmony", "win32"];
const CPUS = ["arm64", "arm", "ia32", "ppc64", "riscv64", "s390x", "wasm32", "x64"];

const lock = JSON.parse(readFileSync(LOCK, "utf8"));
const packages = lock.packages;
const added = {};

for (const [path, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const places = [`${path && `${path}/`}node_modules/${name}`, `node_modules/${name}`];
    if (places.some((place) => packages[place]) || !/^\d/.test(version)) continue;
    const words = name.split(/[/.-]/);
    const os = SYSTEMS.filter((system) => words.includes(system));
    const cpu = CPUS.filter((each) => words.includes(each));
    const musl = words.some((word) => word.startsWith("musl"));
    added[`node_modules/${name}`] = {
      version,
      ...(cpu.length > 0 && { cpu: cpu.slice(0, 1) }),
      ...(dev && { dev }),
      ...(musl && { libc: ["musl"] }),
      optional: true,
      ...(os.length > 0 && { os }),
    };
  }
}

const sorted = Object.entries({ ...packages, ...added }).sort(([a], [b]) => (a < b ? -1 : 1));
lock.packages = Object.fromEntries(sorted);
writeFileSync(LOCK, `${JSON.stringify(lock, null, 2)}\n`);
console.info(`${Object.keys(added).length} optional packages were named that npm had left out`);
