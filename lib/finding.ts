import type { ProviderChannel } from "#lib/channels/names.ts";

/**
 * `fault`: applications do not arrive, or may be lost, or visitors are misled. `unset`: the same, because a setting is
 * missing. `warn`: the site works, but a person should check.
 */
export type FindingLevel = "ok" | "warn" | "unset" | "fault";

export type FindingTopic =
  | ProviderChannel
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
  level: FindingLevel;
  topic: FindingTopic;
  /** Korean, for the owner or operator, also in the log: the state, and what to do. */
  sentence: string;
}

export function findingCreators(topic: FindingTopic) {
  const at = (level: FindingLevel) => (sentence: string) => ({ level, topic, sentence });
  return { ok: at("ok"), warn: at("warn"), unset: at("unset"), fault: at("fault") };
}
