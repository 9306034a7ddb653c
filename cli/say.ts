/** What the commands print. Visitors' text must pass forTerminal first: a terminal obeys escape sequences. */

/** A line of the result. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A line about what went wrong, beside the result. */
export function complain(line: string): void {
  process.stderr.write(`${line}\n`);
}
