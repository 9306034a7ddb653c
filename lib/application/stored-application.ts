/** Applications before and after they are stored. All times are in ms since the epoch. */
import type { Application } from "#lib/application/fields.ts";

export type Route = "sms" | "mail";

/** Why an application looks automated: its honeypot is filled in, or its sender sends too many. */
export type Suspicion = "honeypot" | "flooding";

export interface StoredApplication {
  applicationId: string;
  route: Route;
  submittedAt: number;
  application: Application;
  suspicion?: Suspicion | undefined;
  /** How often the owner resent the application after its delivery. */
  repeats?: number | undefined;
  /** The previous application of the same person on the same day in Seoul. `count` is 2 for the second of the day. */
  earlierToday?: { applicationId: string; count: number } | undefined;
}

export interface NewApplication {
  route: Route;
  /** Undefined if the client sent no key. Then an application with equal fields within a minute is a repeat. */
  idempotencyKey: string | undefined;
  application: Application;
  now: number;
  suspicion?: Suspicion | undefined;
  /** True for a sender over its limit: a repeat is answered, but nothing new is stored. */
  repeatOnly?: boolean;
}

export type Acceptance =
  /** `stored`: the application and its job are on disk. `replayed`: they were already stored. */
  | { outcome: "stored" | "replayed"; applicationId: string; submittedAt: number }
  | { outcome: "key-reused" }
  /** The application is new, but `repeatOnly` was set. */
  | { outcome: "not-a-repeat" };
