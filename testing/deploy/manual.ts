import { readFileSync } from "node:fs";

/** The named blocks of commands in docs/operations.md: `sh user` → what is to be typed. */
export function commandsInManual(): Map<string, string> {
  const manual = readFileSync("docs/operations.md", "utf8");
  const blocks = manual.matchAll(/^```sh (\S+)\n([\s\S]*?)^```$/gm);
  return new Map([...blocks].map(([, name = "", commands = ""]) => [name, commands]));
}
