/**
 * The claim of this page to its tab's id and drafts. A duplicated tab starts with a copy of the session storage, the id
 * included. So the id belongs to the one living page that holds its lock, which is the one that goes on with the draft.
 */
import { drafts } from "#lib/browser/drafts.ts";
import { type LockRequest, requestLock } from "#lib/browser/locks.ts";

/** The previous page of the tab releases the lock within milliseconds. A duplicated tab waits without result. */
const CLAIM_LIMIT_MS = 1_000;

let claim: Promise<boolean> | undefined;
let lock: LockRequest | undefined;
let isDecided = false;

/** True once the claim is decided, for the id of this tab. */
export function isThisTab(id: string): boolean {
  return isDecided && id === drafts.tabId;
}

/** False in a duplicated tab: it then has a new id, and none of the drafts of the original. */
export function claimTab(): Promise<boolean> {
  claim ??= claimStoredId();
  return claim;
}

/** Holds the id while this tab has a draft. Firefox restores no page by Back that held a lock when it was left. */
export function holdTab(): void {
  if (!isDecided) return;
  if (drafts.exist()) lock ??= requestLock(`tab/${drafts.tabId}`);
  else release();
}

async function claimStoredId() {
  // A page that is kept for Back must not hold a lock.
  addEventListener("pagehide", release);
  addEventListener("pageshow", ({ persisted }) => persisted && holdTab());
  lock = requestLock(`tab/${drafts.tabId}`, CLAIM_LIMIT_MS);
  const isOwn = await lock.granted;
  if (!isOwn) {
    lock = undefined;
    drafts.forget();
  }
  isDecided = true;
  holdTab();
  return isOwn;
}

function release(): void {
  lock?.release();
  lock = undefined;
}
