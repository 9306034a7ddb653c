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

export const ok = (check: string, sentence: string): Finding => ({ check, level: "ok", sentence });

export const warn = (check: string, sentence: string): Finding => ({
  check,
  level: "warn",
  sentence,
});

export const fault = (check: string, sentence: string): Finding => ({
  check,
  level: "fault",
  sentence,
});
