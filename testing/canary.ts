/** A person whose data is looked for in every file that a server keeps. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Site } from "#testing/site.ts";

export const CANARY = {
  name: "카나리아여주",
  phone: "010-7654-3210",
  message: "카나리아의 말씀입니다 20261121",
};
/** As they lie in rows, messages and journals. */
export const TRACES = [CANARY.name, "1076543210", "7654-3210", "카나리아의 말씀"];

/** The files that a server without channels has written for its owner. */
export function messagesIn(site: Site): string[] {
  const folder = join(site.dataDir, "outbox");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => !name.endsWith(".tmp")).map((name) => join(folder, name));
}
