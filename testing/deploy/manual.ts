/** The container part of docs/operations.md, typed in as it stands there. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

const manual = readFileSync("docs/operations.md", "utf8");
/** The named blocks of commands: `sh start` → what is to be typed. */
const blocks = new Map(
  [...manual.matchAll(/^```sh (\S+)\n([\s\S]*?)^```$/gm)].map(([, name = "", commands = ""]) => [
    name,
    commands,
  ]),
);

/** Types in a block, as root; ends the rehearsal where it fails. Resolves with the seconds that it took. */
export async function type(name: string, env: Record<string, string> = {}): Promise<number> {
  const commands = blocks.get(name);
  if (commands === undefined) throw new Error(`docs/operations.md has no block "${name}"`);
  console.info(`\n# ${name}\n${commands.trim()}`);
  const startedAt = performance.now();
  const child = spawn("bash", ["-euo", "pipefail", "-c", commands], {
    cwd: "/root",
    env: { ...process.env, BUILDKIT_PROGRESS: "plain", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (more: Buffer) => {
      said += more.toString();
    });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`The commands of "${name}" ended with ${code}:\n${said}`);
  return (performance.now() - startedAt) / 1_000;
}
