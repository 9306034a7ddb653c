/** How long the browser waits before it sends a kept application again. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const WAITS_MS = [5 * SECOND_MS, 15 * SECOND_MS, 30 * SECOND_MS, MINUTE_MS, 2 * MINUTE_MS];
const LONGEST_WAIT_MS = 5 * MINUTE_MS;

/**
 * The wait after so many failures in a row, in milliseconds, up to a fifth longer so that
 * browsers do not come all at once after an outage; never shorter than the server asked for.
 */
export function backoffMs(
  failures: number,
  retryAfterMs = 0,
  random: () => number = Math.random,
): number {
  const wait = WAITS_MS[failures] ?? LONGEST_WAIT_MS;
  return Math.max(retryAfterMs, wait) * (1 + random() / 5);
}
