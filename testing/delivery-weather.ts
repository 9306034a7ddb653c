/** What can befall a message on its way, and what a message is like for a provider. */
import type { Fault, OwnerMessage } from "#lib/channels/carrier.ts";
import type { Carrier } from "#lib/storage/tables.ts";

export const SMS_WEATHERS = [
  "works",
  "undelivered",
  "never confirmed",
  "silent, taken",
  "silent, taken late",
  "silent, lost",
  "no network",
  "busy",
  "refuses all",
  "refuses the number",
  "refuses the text",
] as const;
export const LIST_WEATHERS = ["prompt", "lags", "refuses"] as const;
export const MAIL_WEATHERS = [
  "works",
  "silent, taken",
  "silent, lost",
  "hangs",
  "no network",
  "refuses all",
  "refuses the address",
  "refuses the mail",
] as const;
/** When the process dies: before a message is noted, after that, after the provider has it. */
export const DEATHS = ["before the note", "after the note", "after the send"] as const;

export interface Weather {
  sms: (typeof SMS_WEATHERS)[number];
  list: (typeof LIST_WEATHERS)[number];
  mail: (typeof MAIL_WEATHERS)[number];
}

/** A message that reached a provider. */
export interface Arrived {
  carrier: Carrier;
  kind: OwnerMessage["kind"];
  /** The applications in it. */
  applications: string[];
  recipient: string;
  at: number;
  segments: number;
  id: string;
  /** From when on a list shows it, and what becomes of it. */
  listedAt: number;
  fate: "delivered" | "undelivered" | "never confirmed";
  about: string;
}

/** A question to the provider, or a message on its way to it, in their order. */
export type Heard =
  | { what: "look"; applicationId: string; recipient: string; at: number; answered: boolean }
  | { what: "text"; applicationId: string; recipient: string; at: number; doubtful: boolean };

export const fault = (about: Fault["about"]): Fault => ({
  error: "weather",
  advice: "날씨",
  about,
});

export function applicationsIn(message: OwnerMessage): string[] {
  if (message.kind === "application") return [message.application.applicationId];
  return message.kind === "digest" ? message.applications.map((each) => each.applicationId) : [];
}

export const isLong = (message: OwnerMessage) =>
  message.kind === "application" && message.application.application.message.length > 100;

export const segmentsOf = (message: OwnerMessage) => (isLong(message) ? 4 : 2);
