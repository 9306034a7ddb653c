/** A line of the log as a person reads it at a terminal: `09:30:12 warn  a sentence {"port":3000}`. */
export function readableLine(line: string): string {
  const { time, level, msg, ...fields }: Record<string, unknown> = JSON.parse(line);
  const clock = new Date(String(time)).toTimeString().slice(0, 8);
  const rest = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : "";
  // A terminal obeys control characters, which a request may contain.
  const text = `${msg}${rest}`.replace(/\p{C}/gu, "\ufffd");
  return `${clock} ${String(level).padEnd(5)} ${text}\n`;
}
