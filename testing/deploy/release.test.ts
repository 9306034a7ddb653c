/**
 * deploy/release.sh itself, in a folder of its own, with stand-ins for the programs that it calls. What they are on a
 * real machine is tried by the rehearsal.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

/** What happens once, at a call that holds these words: a signal to the whole group, as Ctrl-C sends it, or a failure. */
type Incident = [call: string, happens: "INT" | "TERM" | "HUP" | "failure"];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "release-"));
  for (const name of ["bin", "running", "releases/20260101-000000", "slots", "source/.next/static"])
    mkdirSync(join(folder, name), { recursive: true });
  symlinkSync(join(folder, "releases/20260101-000000"), join(folder, "slots/3001"));
  symlinkSync(join(folder, "releases/20260101-000000"), join(folder, "current"));
  writeFileSync(join(folder, "running/3001"), "");
  writeFileSync(join(folder, "upstream"), "server 127.0.0.1:3001;\n");
  standIn(
    "git",
    'case "$*" in *archive*) tar -cf - -C "$FOLDER/source" .next ;; *) echo c0ffee ;; esac',
  );
  standIn("runuser", 'shift 3; exec "$@"');
  const running = '"$FOLDER/running/$(echo "$2" | cut -d@ -f2)"';
  standIn("systemctl", `case $1 in start) touch ${running} ;; stop) rm -f ${running} ;; esac`);
  for (const name of ["node", "npm", "nginx", "curl", "sleep"]) standIn(name, ":");
});
afterEach(() => rmSync(folder, { recursive: true }));

function standIn(name: string, does: string): void {
  const file = join(folder, "bin", name);
  const incident = `case "${name} $*" in *"$AT"*)
    if mkdir "$FOLDER/happened" 2>/dev/null; then
      [ "$HAPPENS" != failure ] || exit 1
      kill "-$HAPPENS" 0
      /bin/sleep 0.1
    fi ;;
  esac`;
  writeFileSync(file, `#!/bin/sh\n${incident}\n${does}\n`);
  chmodSync(file, 0o755);
}

async function release([AT, HAPPENS]: Incident = ["no such call", "failure"]) {
  const script = readFileSync("deploy/release.sh", "utf8")
    .replace("home=/srv/driving-practice\n", `home=${folder}\n`)
    .replace(/^upstream=.*$/m, `upstream=${folder}/upstream`);
  // Without a lock: the machine's own is root's.
  const env = { PATH: `${folder}/bin:${process.env.PATH}`, RELEASING: "yes", FOLDER: folder };
  const child = spawn("sh", ["-c", script], {
    env: { NODE_ENV: "production", ...env, AT, HAPPENS },
    detached: true,
  });
  const said = text(child.stdout);
  const [code, signal] = await once(child, "close");
  const happened = existsSync(join(folder, "happened"));
  return { code: code ?? signal, said: await said, happened };
}

const linksIn = (names: string[]) => names.map((name) => [name, readlinkSync(join(folder, name))]);
const inService = () => ({
  upstream: readFileSync(join(folder, "upstream"), "utf8"),
  releases: readdirSync(join(folder, "releases")),
  links: linksIn(["current", ...readdirSync(join(folder, "slots")).map((slot) => `slots/${slot}`)]),
  running: readdirSync(join(folder, "running")),
});

describe.skipIf(process.platform === "win32")("a release", () => {
  test("that nothing disturbs is in service, and the one before has ended", async () => {
    expect(await release()).toMatchObject({ code: 0, happened: false });
    const { upstream, running, releases, links } = inService();
    expect(upstream).toContain("127.0.0.1:3002;");
    expect(running).toEqual(["3002"]);
    const [, newest] = releases;
    expect(links).toContainEqual(["current", join(folder, "releases", `${newest}`)]);
    expect(links).toContainEqual(["slots/3002", join(folder, "releases", `${newest}`)]);
  });

  test.each<[string, ...Incident]>([
    ["1/5", "npm run", "INT"],
    ["3/5", "curl", "INT"],
    ["3/5", "systemctl start", "TERM"],
    ["4/5", "nginx -t", "INT"],
    ["4/5", "systemctl reload", "HUP"],
    ["4/5", "systemctl reload", "failure"],
  ])(
    "that is disturbed at step %s, in %s, by %s leaves all as it was",
    async (step, ...incident) => {
      const before = inService();
      const { code, said, happened } = await release(incident);
      expect(happened).toBe(true);
      expect(code).not.toBe(0);
      expect(said.trim().split("\n").at(-1)).toMatch(new RegExp(`^${step} `));
      expect(inService()).toEqual(before);
    },
  );

  test("that is interrupted once it is in service goes on to its end", async () => {
    expect(await release(["sleep", "INT"])).toMatchObject({ code: 0, happened: true });
    expect(inService().running).toEqual(["3002"]);
  });
});
