/** A `Retry-After` header, seconds or a date → the time that it names, ms since the epoch. */
export function retryAfter(header: string | null, now: number): number | undefined {
  if (header === null || header.trim() === "") return undefined;
  if (/^\s*\d+\s*$/.test(header)) return now + Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : date;
}
