/**
 * The records of this device, in IndexedDB, and what this page knows of them. No operation throws: what the browser
 * does not take lives as long as the page.
 *
 * A form writes without reading before it (`write`), in the turn of the press: what is committed then survives the end
 * of the tab. Everybody else changes what is stored by `change`, in one transaction: no tab undoes another's work.
 */
import { commit, DATABASE, transact } from "#lib/browser/database.ts";
import {
  type Change,
  type Draft,
  isEnded,
  type Kept,
  next,
  type Refused,
} from "#lib/browser/record.ts";

/** Records by id. */
const known = new Map<string, Kept>();
/** Ids with changes that the database has not stored. A read does not undo these. */
const ahead = new Set<string>();
/** The record that each form of this page shows, with its panel or toast. */
const here = new Map<object, string>();
let sorted: readonly Kept[] = [];
const listeners = new Set<() => void>();
let channel: BroadcastChannel | undefined;

/** All records, the oldest first; for useSyncExternalStore. */
export function records(): readonly Kept[] {
  return sorted;
}

export function find(id: string): Kept | undefined {
  return known.get(id);
}

/** The record that the next form of a tab continues: one to correct, or a draft of that tab. */
export function begunIn(tab: string): Draft | Refused | undefined {
  const isToCorrect = (each: Kept) => each.state === "refused" && each.correctIn === tab;
  const isTyped = (each: Kept) => each.state === "draft" && each.tab === tab;
  const begun = sorted.find(isToCorrect) ?? sorted.find(isTyped);
  return begun?.state === "refused" || begun?.state === "draft" ? begun : undefined;
}

/** Notices skip the record that a form shows. */
export function showHere(form: object, id: string | undefined): void {
  if (id) here.set(form, id);
  else here.delete(form);
  tell();
}

export function isShownHere(id: string): boolean {
  return [...here.values()].includes(id);
}

/** Calls back after each change, by this page, another tab or the service worker; returns how to stop. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const others = otherTabs();
  if (others) others.onmessage = () => void refresh();
  return () => void listeners.delete(listener);
}

/**
 * Writes a record over the one with its id, or takes it out. `known`: what this page alone still knows of it. True once
 * it is on the disk.
 */
export async function write(id: string, record?: Kept, known = record): Promise<boolean> {
  ahead.add(id);
  learn(id, known);
  const isStored = await commit((store) => (record ? store.put(record) : store.delete(id)));
  if (isStored && find(id) === record) ahead.delete(id);
  // A draft is nobody else's business.
  if (record?.state !== "draft") tellOthers();
  return isStored;
}

/** Applies a change to the stored record, or to the copy that only this page has. */
export async function change(id: string, event: Change): Promise<Kept | undefined> {
  let after: Kept | undefined;
  const isStored = await transact((store) => {
    const reading = store.get(id);
    reading.onsuccess = () => {
      after = learn(id, next(ahead.has(id) ? find(id) : reading.result, event));
      try {
        if (after) store.put(after);
        else store.delete(id);
      } catch {
        // WebKit answers also after the page was left, which has aborted the transaction.
      }
    };
  });
  if (!isStored) after = learn(id, next(find(id), event));
  if (isStored && find(id) === after) ahead.delete(id);
  tellOthers();
  return after;
}

/** False if the database has not answered: there may be more records. */
export async function refresh(): Promise<boolean> {
  let reading: IDBRequest<Kept[]> | undefined;
  const isRead = await commit((store) => {
    reading = store.getAll();
  });
  if (!isRead) return false;
  for (const id of known.keys()) if (!ahead.has(id)) known.delete(id);
  for (const record of reading?.result ?? [])
    if (!ahead.has(record.id)) known.set(record.id, record);
  tell();
  return true;
}

function learn(id: string, record: Kept | undefined): Kept | undefined {
  if (record) known.set(id, record);
  else known.delete(id);
  tell();
  return record;
}

function tell(): void {
  const timeOf = (record: Kept) => (isEnded(record) ? 0 : record.at);
  sorted = [...known.values()].sort((a, b) => timeOf(a) - timeOf(b));
  for (const listener of listeners) listener();
}

function tellOthers(): void {
  otherTabs()?.postMessage("changed");
}

/** Browsers can lack or forbid the channel. Each page then sees changes at its next read. */
function otherTabs(): BroadcastChannel | undefined {
  try {
    channel ??= new BroadcastChannel(DATABASE);
    return channel;
  } catch {
    return undefined;
  }
}
