import type { StoredApplication } from "#lib/storage/store.ts";

/** How a send ended, as far as the channel can know it. `error` names the fault without personal data. */
export type SendOutcome =
  /** The provider took it for every recipient. */
  | { outcome: "delivered"; providerId: string | undefined }
  /** It did not go out, another try may succeed; not before `notBefore` (ms since the epoch) when named. */
  | { outcome: "retry"; error: string; notBefore?: number }
  /** The provider refuses it for good as things stand (a wrong password, a dead number). */
  | { outcome: "refused"; error: string };

/** Carries applications to the owner. */
export interface MessageChannel {
  /** Never throws; gives up when the signal aborts. */
  send(application: StoredApplication, signal: AbortSignal): Promise<SendOutcome>;
  close(): Promise<void>;
}
