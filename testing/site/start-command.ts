import { readFileSync } from "node:fs";
import { z } from "zod";

/** `exec` replaces the shell, which would keep a signal of npm from the site. Windows has no `exec`. */
const START_COMMAND_PATTERN =
  /^exec node (?<flags>(?:--\S+ )*)build\/run\.mjs (?<file>\S+) \|\| node build\/run\.mjs \k<file>$/;
const packageSchema = z.object({
  scripts: z.object({ start: z.string().regex(START_COMMAND_PATTERN) }),
});

export function readStartCommand(): { flags: string[]; file: string } {
  const manifest = packageSchema.parse(JSON.parse(readFileSync("package.json", "utf8")));
  const { flags = "", file = "" } =
    START_COMMAND_PATTERN.exec(manifest.scripts.start)?.groups ?? {};
  return { flags: flags.split(" ").filter(Boolean), file };
}
