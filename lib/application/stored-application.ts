/** An application before and after it is stored. All times are ms since the epoch. */
import type { Application } from "#lib/application/fields.ts";

/** The route of a form: `sms` for the dialog of the home page, `mail` for the form of /contact. */
export type Route = "sms" | "mail";

/** Reason why an application looks automated: its invisible field is filled in, or its sender sends too many. */
export type Suspicion = "honeypot" | "flooding";

export interface StoredApplication {
  /** 8 characters, see lib/application/application-id.ts. */
  applicationId: string;
  route: Route;
  /** Time by the server's clock. */
  submittedAt: number;
  application: Application;
  suspicion?: Suspicion | undefined;
  /** Number of resends by the owner after the delivery. */
  repeats?: number | undefined;
  /** The previous application of the same person on the same day in Seoul; `count` is 2 for the second of that day. */
  earlierToday?: { applicationId: string; count: number } | undefined;
}

export interface NewApplication {
  route: Route;
  /** Absent when the client sent no key: then equal content within a minute is a repeat. */
  idempotencyKey: string | undefined;
  application: Application;
  now: number;
  suspicion?: Suspicion | undefined;
  /** True when the sender is over its limit: a repeat is answered, but nothing new is stored. */
  repeatOnly?: boolean;
}

export type Acceptance =
  /** The application is on disk, with its job, before this is returned. `replayed`: it was there before. */
  | { outcome: "stored" | "replayed"; applicationId: string; submittedAt: number }
  | { outcome: "key-reused" }
  /** The application is new, but the sender may only repeat. */
  | { outcome: "not-a-repeat" };
