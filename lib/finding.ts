/** A finding of doctor, `list`, health or start-up: one sentence about one part of the installation. */
import type { ChannelName } from "#lib/channels/names.ts";

/** `fault`: applications do not arrive, or visitors are misled. `warn`: works, but somebody should look. */
export type Level = "ok" | "warn" | "fault";

/** The part of the installation that a finding is about. */
export type Topic =
  | ChannelName
  | "storage"
  | "worker"
  | "delivery"
  | "backup"
  | "clock"
  | "disk"
  | "process"
  | "settings"
  | "proxy"
  | "pages";

export interface Finding {
  level: Level;
  topic: Topic;
  /** Korean, for the owner or operator: the state, and the remedy where there should be one. */
  sentence: string;
  /** English, for the log at the start: the log holds no Hangul, so that a visitor's words in it would show. */
  logLine?: string | undefined;
}

/** Makes the findings about one topic. */
export function findingsAbout(topic: Topic) {
  const at =
    (level: Level) =>
    (sentence: string, logLine?: string): Finding => ({ level, topic, sentence, logLine });
  return { ok: at("ok"), warn: at("warn"), fault: at("fault") };
}
