import { readFileSync } from "node:fs";
import { z } from "zod";

const COMMAND = /^node (?<flags>(?:--\S+ )*)build\/run\.mjs (?<file>\S+)$/;
const MANIFEST = z.object({ scripts: z.object({ start: z.string().regex(COMMAND) }) });

export function readStartCommand(): { flags: string[]; file: string } {
  const manifest = MANIFEST.parse(JSON.parse(readFileSync("package.json", "utf8")));
  const { flags = "", file = "" } = COMMAND.exec(manifest.scripts.start)?.groups ?? {};
  return { flags: flags.split(" ").filter(Boolean), file };
}
