/** `fault`: applications do not arrive, or visitors are misled; `warn`: works, but somebody should look. */
export type Level = "ok" | "warn" | "fault";

/** What a look at one part of the installation found. */
export interface Finding {
  level: Level;
  /** Korean, for the owner or operator: what is so, and what to do where it should not be. */
  sentence: string;
}

const at =
  (level: Level) =>
  (sentence: string): Finding => ({ level, sentence });
export const ok = at("ok");
export const warn = at("warn");
export const fault = at("fault");
