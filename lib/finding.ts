/** `fault`: applications do not arrive, or visitors are misled; `warn`: works, but somebody should look. */
export type Level = "ok" | "warn" | "fault";

/** What a look at one part of the installation found. */
export interface Finding {
  /** Names it, whatever the sentence says: `twilio-account`. */
  check: string;
  level: Level;
  /** Korean, for the owner or operator: what is so, and what to do where it should not be. */
  sentence: string;
}

const at =
  (level: Level) =>
  (check: string, sentence: string): Finding => ({
    check,
    level,
    sentence,
  });
export const ok = at("ok");
export const warn = at("warn");
export const fault = at("fault");
