/** Prints what held and what did not; one that did not makes the process end with 1. */
export function expectThat(what: string, holds: boolean): void {
  console.info(`${holds ? "✓" : "✗"} ${what}`);
  if (!holds) process.exitCode = 1;
}
