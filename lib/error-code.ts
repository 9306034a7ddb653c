/** The code of an error of Node or a driver, such as `ENOENT`, or an empty string. */
export function errorCode(error: unknown): string {
  const hasCode = error instanceof Error && "code" in error && typeof error.code === "string";
  return hasCode ? String(error.code) : "";
}
