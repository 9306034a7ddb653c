/**
 * The drafts of this tab, in the session storage. A duplicated tab starts with a copy of the storage, including the id
 * of the original tab. A lock on the id shows which tab is the original.
 */
import { FIELD_NAMES } from "#lib/application/fields.ts";
import { areSameValues, type FormValues } from "#lib/browser/form-values.ts";
import { type LockRequest, requestLock } from "#lib/browser/locks.ts";
import { randomId } from "#lib/browser/random-id.ts";
import { DRAFT_HOURS } from "#lib/content/on-device.ts";

const LIFE_MS = DRAFT_HOURS * 60 * 60 * 1_000;
/** A lock that is held for longer belongs to the original of a duplicated tab, not to this tab's previous page. */
const CLAIM_LIMIT_MS = 1_000;
const SUBMITTED = "submitted";
const TAB = "tab";

/** A `correction` of a rejected record is stored apart from the `draft`, and restored in place of the draft. */
type DraftKind = "draft" | "correction";

interface Draft {
  values: FormValues;
  savedAt: number;
  /** The id of the rejected record that a correction replaces. */
  corrects?: string | undefined;
}

const BROWSER_DEPS = {
  /** @throws when the browser blocks its storage */
  storage: (): Pick<Storage, "getItem" | "setItem" | "removeItem"> => sessionStorage,
  requestLock,
};

export class Drafts {
  readonly #deps: typeof BROWSER_DEPS;
  #tabId: string | undefined;
  #claim: Promise<boolean> | undefined;
  #isClaimed = false;
  #lock: LockRequest | undefined;

  constructor(deps = BROWSER_DEPS) {
    this.#deps = deps;
  }

  save(values: FormValues, corrects?: string): void {
    const kind = corrects === undefined ? "draft" : "correction";
    const draft: Draft = { values, savedAt: Date.now(), corrects };
    this.#write(kind, areSameValues(values, {}) ? undefined : draft);
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

  get tabId(): string {
    this.#tabId ??= this.#read<string>(TAB) ?? this.#newTabId();
    return this.#tabId;
  }

  /** Resolves to false in a duplicated tab, which then gets a new id and no drafts. */
  claim(): Promise<boolean> {
    this.#claim ??= this.#claimStored();
    return this.#claim;
  }

  /** Stores a hash by which the form recognises submitted values that the browser or a draft restores. */
  rememberSubmitted(values: FormValues): void {
    this.#write(SUBMITTED, [...(this.#read<number[]>(SUBMITTED) ?? []).slice(-9), hash(values)]);
  }

  wasSubmitted(values: FormValues): boolean {
    return (this.#read<number[]>(SUBMITTED) ?? []).includes(hash(values));
  }

  async #claimStored(): Promise<boolean> {
    // A page has lost its locks when Back restores it.
    globalThis.addEventListener?.("pageshow", ({ persisted }) => {
      if (!persisted) return;
      this.#lock = undefined;
      this.#hold();
    });
    this.#lock = this.#deps.requestLock(`tab/${this.tabId}`, CLAIM_LIMIT_MS);
    const isOriginalTab = await this.#lock.granted;
    if (!isOriginalTab) {
      this.#lock = undefined;
      this.remove("draft");
      this.remove("correction");
      this.#tabId = this.#newTabId();
    }
    this.#isClaimed = true;
    this.#hold();
    return isOriginalTab;
  }

  /** Holds the lock only while there is a draft, because Firefox's Back reloads a page that held a lock. */
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
      // The storage is blocked or full.
    }
  }
}

/** 32 bits are enough to recognise values, and too few to recover them. */
function hash(values: FormValues): number {
  const text = JSON.stringify(FIELD_NAMES.map((field) => values[field] ?? ""));
  return [...text].reduce(
    (sum, character) => (Math.imul(sum, 31) + (character.codePointAt(0) ?? 0)) | 0,
    0,
  );
}

export const drafts = new Drafts();
