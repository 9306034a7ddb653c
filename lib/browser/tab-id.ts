/**
 * The identity of this tab: it survives a reload and ends with the tab. A duplicated tab starts with a copy of the
 * session storage, the id included. So the id belongs to the one living page that holds its lock, which is the one that
 * goes on with the draft.
 */
import { drafts } from "#lib/browser/drafts.ts";
import { type LockRequest, requestLock } from "#lib/browser/locks.ts";
import { randomId } from "#lib/browser/random-id.ts";

const STORAGE_KEY = "tab";
/** The previous page of the tab releases the lock within milliseconds. A duplicated tab waits without result. */
const CLAIM_LIMIT_MS = 1_000;

let tab: string | undefined;
let claim: Promise<boolean> | undefined;
let lock: LockRequest | undefined;
let isClaimed = false;

export function tabId(): string {
  if (tab !== undefined) return tab;
  tab = randomId();
  try {
    tab = sessionStorage.getItem(STORAGE_KEY) ?? tab;
    sessionStorage.setItem(STORAGE_KEY, tab);
  } catch {
    // The storage is blocked: the id lives as long as the page.
  }
  return tab;
}

/** True once the claim is decided, for the id of this tab. */
export function isThisTab(id: string): boolean {
  return isClaimed && id === tab;
}

/** False in a duplicated tab: it then has a new id, and has deleted the drafts copied from the original. */
export function claimTab(): Promise<boolean> {
  claim ??= claimStoredId();
  return claim;
}

/** Holds the id while this tab has a draft. Firefox restores no page by Back that held a lock when it was left. */
export function holdTab(): void {
  if (!isClaimed) return;
  if (drafts.exist()) lock ??= requestLock(`tab/${tabId()}`);
  else release();
}

async function claimStoredId() {
  // A page that is kept for Back must not hold a lock.
  addEventListener("pagehide", release);
  addEventListener("pageshow", ({ persisted }) => persisted && holdTab());
  lock = requestLock(`tab/${tabId()}`, CLAIM_LIMIT_MS);
  const isOwn = await lock.granted;
  if (!isOwn) {
    drafts.forget();
    tab = randomId();
    lock = undefined;
    try {
      sessionStorage.setItem(STORAGE_KEY, tab);
    } catch {
      // The storage is blocked: the new id lives as long as the page.
    }
  }
  isClaimed = true;
  holdTab();
  return isOwn;
}

function release(): void {
  lock?.release();
  lock = undefined;
}
