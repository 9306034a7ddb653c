import { existsSync } from "node:fs";
import type { Config } from "#lib/config.ts";

/** Whether the site has ever begun one here: looking must not begin an empty one, such as in a mistyped folder. */
export function hasDatabase({ databaseFile, databaseUrl }: Config): boolean {
  return databaseUrl !== undefined || [databaseFile, `${databaseFile}.created`].some(existsSync);
}
