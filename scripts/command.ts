import type { Config } from "#lib/config.ts";

/** A command of `npm run applications`. */
export interface Command {
  /** `forget PHONE` */
  usage: string;
  /** What it does, in a line. */
  does: string;
  /** Whether all went well. */
  run(args: string[], config: Config): Promise<boolean>;
}

/** A line for the operator. What visitors wrote does not go here as it is: a terminal obeys escape sequences. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
