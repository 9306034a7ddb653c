/** Applications before and after they are stored. All times are in ms since the epoch. */
import type { Application } from "#lib/application/fields.ts";

export type Route = "sms" | "mail";

export type Suspicion = "honeypot" | "flooding";

export interface StoredApplication {
  applicationId: string;
  route: Route;
  submittedAt: number;
  application: Application;
  suspicion?: Suspicion | undefined;
  /** Number of resends after the owner or a provider already had the application. */
  resends?: number | undefined;
  /** The previous application of the same person on the same day in Seoul. `count` is 2 for the second application. */
  earlierToday?: { applicationId: string; count: number } | undefined;
}

export interface NewApplication {
  route: Route;
  /** Undefined if the client sent no key: then the same fields on the same route within a minute are a repeat. */
  idempotencyKey: string | undefined;
  application: Application;
  now: number;
  suspicion?: Suspicion | undefined;
  /** True if a limit is exceeded: a repeat gets the first number again, but no new application is stored. */
  isRepeatOnly?: boolean;
}

export type Acceptance =
  | { outcome: "stored" | "replayed"; applicationId: string; submittedAt: number }
  | { outcome: "key-reused" }
  | { outcome: "not-a-repeat" };
