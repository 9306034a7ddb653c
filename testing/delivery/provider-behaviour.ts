/** What can befall a message on its way, and what a message is like for a provider. */
import type { AttemptResult, OwnerMessage } from "#lib/channels/channel.ts";
import type { FaultAbout } from "#lib/storage/tables.ts";

const MINUTE = 60_000;

/** What becomes of a message. */
export interface Lot {
  outcome: AttemptResult["outcome"];
  /** What its provider complains of; of the recipients only the first meets a fault of a recipient. */
  about?: FaultAbout;
  /** How long after it left a list shows it, ms; absent: it never gets there. */
  listedAfter?: number;
  /** What its provider says of it when it is asked; absent: it is delivered. */
  fate?: "undelivered" | "never confirmed";
  /** It fails before it could leave. */
  early?: boolean;
  /** Its provider names a time, ms from now. */
  pause?: number;
  /** How long the conversation lasts, ms. */
  lasts?: number;
}

const SILENT = { outcome: "unknown", about: "channel" } as const;
const COMMON = {
  "silent, taken": { ...SILENT, listedAfter: 0 },
  "silent, lost": SILENT,
  "no network": { outcome: "not-sent", about: "channel", early: true },
  "refuses all": { outcome: "rejected", about: "channel" },
  "refuses one recipient": { outcome: "rejected", about: "recipient" },
  "refuses this message": { outcome: "rejected", about: "message" },
} as const;

export const LOTS = {
  sms: {
    ...COMMON,
    works: { outcome: "accepted", listedAfter: 0 },
    undelivered: { outcome: "accepted", listedAfter: 0, fate: "undelivered" },
    "never confirmed": { outcome: "accepted", listedAfter: 0, fate: "never confirmed" },
    "silent, taken late": { ...SILENT, listedAfter: 5 * MINUTE },
    busy: { outcome: "not-sent", about: "channel", pause: 10 * MINUTE },
  },
  mail: {
    ...COMMON,
    works: { outcome: "delivered", listedAfter: 0 },
    hangs: { ...SILENT, lasts: 14 * MINUTE },
  },
} as const satisfies Record<string, Record<string, Lot>>;

/** `lags`: what was taken shows a minute later. */
export const LISTS = ["prompt", "lags", "refuses"] as const;
/** When the process dies: before a message is noted, after that, after the provider has it. */
export const DEATHS = ["before the note", "after the note", "after the send"] as const;

export interface Weather {
  sms: keyof (typeof LOTS)["sms"];
  mail: keyof (typeof LOTS)["mail"];
  list: (typeof LISTS)[number];
}

export function applicationsIn(message: OwnerMessage): string[] {
  return "application" in message ? [message.application.applicationId] : [];
}

export const isLong = (message: OwnerMessage) =>
  "application" in message && message.application.application.message.length > 100;
