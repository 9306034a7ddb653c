/**
 * Values that were typed in a form of this tab and not submitted. The session storage ends with the tab. A duplicated
 * tab starts with a copy of it, the tab's id included. So id and drafts belong to the one living page that holds the
 * lock of the id.
 */
import { FIELD_NAMES } from "#lib/application/fields.ts";
import { type FormValues, sameValues } from "#lib/browser/form-values.ts";
import { type LockRequest, requestLock } from "#lib/browser/locks.ts";
import { randomId } from "#lib/browser/random-id.ts";
import { DRAFT_HOURS } from "#lib/content/on-device.ts";

const LIFE_MS = DRAFT_HOURS * 60 * 60 * 1_000;
/** The previous page of the tab releases the lock within milliseconds. A duplicated tab waits without result. */
const CLAIM_LIMIT_MS = 1_000;
const SUBMITTED = "submitted";
const TAB = "tab";

/** `correction`: the draft that replaces a rejected record. It has precedence over `draft`, and does not change it. */
type DraftKind = "draft" | "correction";

interface Draft {
  values: FormValues;
  savedAt: number;
  /** The rejected record that a correction replaces. */
  corrects?: string | undefined;
}

export interface DraftsDeps {
  /** @throws where it is blocked */
  storage: () => Pick<Storage, "getItem" | "setItem" | "removeItem">;
  requestLock: (name: string, waitMs?: number) => LockRequest;
}

export class Drafts {
  readonly #deps: DraftsDeps;
  #tabId: string | undefined;
  #claim: Promise<boolean> | undefined;
  #isClaimed = false;
  #lock: LockRequest | undefined;

  constructor(deps: DraftsDeps) {
    this.#deps = deps;
  }

  save(values: FormValues, corrects?: string): void {
    const kind = corrects === undefined ? "draft" : "correction";
    const draft: Draft = { values, savedAt: Date.now(), corrects };
    this.#write(kind, sameValues(values, {}) ? undefined : draft);
    this.#hold();
  }

  read(kind: DraftKind): Draft | undefined {
    const draft = this.#read<Draft>(kind);
    return draft && Math.abs(Date.now() - draft.savedAt) < LIFE_MS ? draft : undefined;
  }

  exist(): boolean {
    return this.read("draft") !== undefined || this.read("correction") !== undefined;
  }

  remove(kind: DraftKind): void {
    this.#write(kind, undefined);
    this.#hold();
  }

  /** The id of the tab with these drafts: it survives a reload and ends with the tab. */
  get tabId(): string {
    this.#tabId ??= this.#read<string>(TAB) ?? this.#newTabId();
    return this.#tabId;
  }

  /** False in a duplicated tab: it then has a new id, and none of the drafts of the original. */
  claim(): Promise<boolean> {
    this.#claim ??= this.#claimStored();
    return this.#claim;
  }

  /** Remembers a submission by its hash, because browsers fill in a form again with submitted values. */
  rememberSubmitted(values: FormValues): void {
    this.#write(SUBMITTED, [...(this.#read<number[]>(SUBMITTED) ?? []).slice(-9), hash(values)]);
  }

  wasSubmitted(values: FormValues): boolean {
    return (this.#read<number[]>(SUBMITTED) ?? []).includes(hash(values));
  }

  async #claimStored(): Promise<boolean> {
    // A page that is left releases its locks.
    globalThis.addEventListener?.("pageshow", ({ persisted }) => {
      if (!persisted) return;
      this.#lock = undefined;
      this.#hold();
    });
    this.#lock = this.#deps.requestLock(`tab/${this.tabId}`, CLAIM_LIMIT_MS);
    const isOwn = await this.#lock.granted;
    if (!isOwn) {
      this.#lock = undefined;
      this.remove("draft");
      this.remove("correction");
      this.#tabId = this.#newTabId();
    }
    this.#isClaimed = true;
    this.#hold();
    return isOwn;
  }

  /** Holds the id while this tab has a draft. Firefox restores no page by Back that held a lock when it was left. */
  #hold(): void {
    if (!this.#isClaimed) return;
    if (this.exist()) this.#lock ??= this.#deps.requestLock(`tab/${this.tabId}`);
    else {
      this.#lock?.release();
      this.#lock = undefined;
    }
  }

  #newTabId(): string {
    const id = randomId();
    this.#write(TAB, id);
    return id;
  }

  #read<Value>(key: string): Value | undefined {
    try {
      return JSON.parse(this.#deps.storage().getItem(key) ?? "null") ?? undefined;
    } catch {
      return undefined;
    }
  }

  #write(key: string, value: unknown): void {
    try {
      if (value === undefined) this.#deps.storage().removeItem(key);
      else this.#deps.storage().setItem(key, JSON.stringify(value));
    } catch {
      // Keeps the draft and the id for as long as the page lives, because the storage is blocked or full.
    }
  }
}

/** A hash of 32 bits: enough to recognise values, and too few to recover them. */
function hash(values: FormValues): number {
  const text = JSON.stringify(FIELD_NAMES.map((field) => values[field] ?? ""));
  return [...text].reduce(
    (sum, character) => (Math.imul(sum, 31) + (character.codePointAt(0) ?? 0)) | 0,
    0,
  );
}

export const drafts = new Drafts({ storage: () => sessionStorage, requestLock });
