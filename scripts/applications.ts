/**
 * The operator's command line: `npm run applications -- forget 010-1234-5678`. It works on the same data
 * folder as the site, also while that is running. A command is a function in a file of its own, named
 * in COMMANDS; it prints lines and returns whether all went well.
 */
import { ConfigError, config } from "#lib/config.ts";
import { StorageUnavailable } from "#lib/storage/store.ts";
import { type Command, say } from "#scripts/command.ts";
import { forget } from "#scripts/forget.ts";

const COMMANDS: Record<string, Command> = { forget };

const [name = "", ...rest] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
process.exitCode = (await run()) ? 0 : 1;

async function run(): Promise<boolean> {
  if (!command) {
    say("Usage: npm run applications -- <command>");
    for (const { usage, does } of Object.values(COMMANDS)) say(`  ${usage.padEnd(24)}${does}`);
    return false;
  }
  try {
    return await command.run(rest, config());
  } catch (error) {
    // A sentence for the operator; anything else is a fault in the program and ends with its stack.
    if (!(error instanceof ConfigError || error instanceof StorageUnavailable)) throw error;
    say(error.message);
    return false;
  }
}
