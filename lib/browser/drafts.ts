/** Values that were typed in a form of this tab and not submitted. The session storage ends with the tab. */
import { FIELD_NAMES } from "#lib/application/fields.ts";
import { type FormValues, sameValues } from "#lib/browser/form-values.ts";
import { randomId } from "#lib/browser/random-id.ts";
import { DRAFT_HOURS } from "#lib/content/on-device.ts";

const LIFE_MS = DRAFT_HOURS * 60 * 60 * 1_000;
const SUBMITTED = "submitted";
const TAB = "tab";

/** `correction`: the draft that replaces a rejected record. It has precedence over `draft`, and does not change it. */
export type DraftKind = "draft" | "correction";

export interface Draft {
  values: FormValues;
  savedAt: number;
  /** The rejected record that a correction replaces. */
  corrects?: string | undefined;
}

export class Drafts {
  readonly #storage: () => Pick<Storage, "getItem" | "setItem" | "removeItem">;
  #tabId: string | undefined;

  constructor(storage: () => Pick<Storage, "getItem" | "setItem" | "removeItem">) {
    this.#storage = storage;
  }

  save(values: FormValues, corrects?: string): void {
    const kind = corrects === undefined ? "draft" : "correction";
    const draft: Draft = { values, savedAt: Date.now(), corrects };
    this.#write(kind, sameValues(values, {}) ? undefined : draft);
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
  }

  /** The id of the tab with these drafts: it survives a reload and ends with the tab. */
  get tabId(): string {
    this.#tabId ??= this.#read<string>(TAB) ?? this.#newTabId();
    return this.#tabId;
  }

  /** Forgets the id and the drafts that a duplicated tab has copied, because its original goes on with them. */
  forget(): void {
    this.remove("draft");
    this.remove("correction");
    this.#tabId = this.#newTabId();
  }

  /** Remembers a submission by its hash: browsers fill a form in again with what it held. */
  rememberSubmitted(values: FormValues): void {
    this.#write(SUBMITTED, [...(this.#read<number[]>(SUBMITTED) ?? []).slice(-9), hash(values)]);
  }

  wasSubmitted(values: FormValues): boolean {
    return (this.#read<number[]>(SUBMITTED) ?? []).includes(hash(values));
  }

  #newTabId(): string {
    const id = randomId();
    this.#write(TAB, id);
    return id;
  }

  #read<Value>(key: string): Value | undefined {
    try {
      return JSON.parse(this.#storage().getItem(key) ?? "null") ?? undefined;
    } catch {
      return undefined;
    }
  }

  #write(key: string, value: unknown): void {
    try {
      if (value === undefined) this.#storage().removeItem(key);
      else this.#storage().setItem(key, JSON.stringify(value));
    } catch {
      // The storage is blocked or full: the draft and the id live as long as the page.
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

export const drafts = new Drafts(() => sessionStorage);
