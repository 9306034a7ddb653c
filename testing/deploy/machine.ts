/** The machine that is set aside, as the rehearsal sees and changes it: units, releases, permissions, the store. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export const HOME = "/srv/driving-practice";
export const RELEASE = `${HOME}/source/deploy/release.sh`;
export const UPSTREAM = "/etc/nginx/driving-practice-upstream.conf";

/** What systemd itself says of the units, where it is installed. */
export function unitFaults(): string {
  const units = readdirSync("/etc/systemd/system").filter((name) => name.startsWith("driving-"));
  const paths = units.map((name) => join("/etc/systemd/system", name.replace("@", "@3001")));
  const { stderr = "" } = spawnSync("systemd-analyze", ["verify", "--man=no", ...paths], {
    encoding: "utf8",
  });
  return (stderr ?? "").trim();
}

export function storedIn(file: string): Set<string> {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const rows = database.prepare("SELECT application_id FROM applications").all();
    return new Set(rows.map((row) => String(row.application_id)));
  } finally {
    database.close();
  }
}

/** What is in service, and what lies on the disk for it. */
export const inService = () =>
  [
    readFileSync(UPSTREAM),
    realpathSync(`${HOME}/current`),
    ...readdirSync(`${HOME}/releases`),
  ].join();

/** Of a path and each folder above it, what somebody else than root can write. */
export function writableByOthers(path: string): string[] {
  const { uid, mode } = statSync(path);
  const above = path === "/" ? [] : writableByOthers(dirname(path));
  return uid === 0 && (mode & 0o022) === 0 ? above : [path, ...above];
}

/** The addresses of the assets that a page names. */
export function assetsOf(html: string): string[] {
  const found = html.matchAll(/(?:src|href)="(\/_next\/static\/[^"?]+)/g);
  return [...new Set([...found].map(([, path = ""]) => path))];
}

/** Pushes the next version to the repository from which the host pulls: another style and another script. */
export function changeTheProgram(folder: string): void {
  const clone = join(folder, "change");
  const git = (...args: string[]) =>
    execFileSync("git", [
      "-c",
      "user.name=rehearsal",
      "-c",
      "user.email=rehearsal@practice.example",
      ...args,
    ]);
  git("clone", "--quiet", process.env.REPOSITORY ?? "", clone);
  appendFileSync(join(clone, "app/globals.css"), "\n:root {\n  --release: 2;\n}\n");
  const copy = join(clone, "lib/content/application-form.ts");
  writeFileSync(copy, readFileSync(copy, "utf8").replaceAll("보내는 중", "지금 보내는 중"));
  git("-C", clone, "commit", "--quiet", "--all", "--message", "Change the look and a word");
  git("-C", clone, "push", "--quiet");
}

/** Runs a release that is not to succeed; returns its exit code. */
export async function failingRelease(
  meanwhile: (said: string, end: () => void) => void,
): Promise<unknown> {
  const child = spawn(RELEASE, [], { detached: true, stdio: ["ignore", "pipe", "inherit"] });
  child.stdout.on("data", (said: Buffer) =>
    // As Ctrl-C does: every process of the terminal's group gets it.
    meanwhile(said.toString(), () => process.kill(-(child.pid ?? 0), "SIGINT")),
  );
  const [code, signal] = await once(child, "exit");
  return code ?? signal;
}
