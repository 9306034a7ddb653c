/**
 * The records of this device, in IndexedDB, and what this page knows of them. No operation throws: what the browser
 * does not take lives as long as the page.
 *
 * A form writes without reading before it (`put`), in the turn of the press: what is committed then survives the end
 * of the tab. Everybody else changes what is stored by `change`, in one transaction: no tab undoes another's work.
 */
import { abort, commit, DATABASE, transact } from "#lib/browser/database.ts";
import { type Change, type Draft, isEnded, type Kept, next } from "#lib/browser/record.ts";

const stored = new Map<string, Kept>();
/** What this page has written and the browser has not taken; undefined is removed. */
const own = new Map<string, Kept | undefined>();
/** The records that a form, a panel or a toast of this page shows. */
const here = new Set<string>();
let shown: readonly Kept[] = [];
const listeners = new Set<() => void>();
let channel: BroadcastChannel | undefined;

/** All records but drafts, the oldest first; for useSyncExternalStore. */
export function records(): readonly Kept[] {
  return shown;
}

/** Drafts too. */
export function allRecords(): Kept[] {
  const all = new Map<string, Kept | undefined>([...stored, ...own]);
  return [...all.values()].filter((record) => record !== undefined);
}

export function find(id: string): Kept | undefined {
  return own.has(id) ? own.get(id) : stored.get(id);
}

export function draftOf(form: string, tab: string): Draft | undefined {
  return allRecords().find(
    (record): record is Draft =>
      record.state === "draft" && record.form === form && record.tab === tab,
  );
}

/** A form, a panel or a toast of this page shows the record from now on: no notice does. */
export function showHere(id: string): void {
  here.add(id);
  tell();
}

export function hideHere(id: string): void {
  here.delete(id);
  tell();
}

export function isShownHere(id: string): boolean {
  return here.has(id);
}

/** Calls back after each change, by this page, another tab or the service worker; returns how to stop. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const others = otherTabs();
  if (others) others.onmessage = () => void refresh();
  return () => void listeners.delete(listener);
}

/** Writes a record over the one with its id. True once it is on the disk. */
export async function put(record: Kept): Promise<boolean> {
  keepOwn(record.id, record);
  const isStored = await commit((store) => store.put(record));
  if (isStored) settle(record.id, record, record);
  announce(record);
  return isStored;
}

/** Takes a record out. `stays`: what this page alone still knows of it. */
export async function remove(id: string, stays?: Kept): Promise<void> {
  keepOwn(id, stays);
  const isStored = await commit((store) => store.delete(id));
  if (isStored && stays) stored.delete(id);
  else if (isStored) settle(id, undefined, undefined);
  announce(undefined);
}

/** What becomes of a record, by what is stored now. */
export async function change(id: string, event: Change): Promise<Kept | undefined> {
  const isOwn = own.has(id);
  const before = find(id);
  let after: Kept | undefined;
  const isStored = await transact((store, transaction) => {
    const reading = store.get(id);
    reading.onsuccess = () => {
      after = next(isOwn ? before : reading.result, event);
      try {
        if (after) store.put(after);
        else store.delete(id);
      } catch {
        // WebKit answers also after the page was left, which has aborted the transaction.
        abort(transaction);
      }
    };
  });
  if (!isStored) after = next(find(id), event);
  if (!isStored && own.has(id)) keepOwn(id, after);
  else settle(id, before, after);
  announce(after);
  return after;
}

/** Reads everything anew. False when the database has not answered: there may be more. */
export async function refresh(): Promise<boolean> {
  let reading: IDBRequest<Kept[]> | undefined;
  const isRead = await commit((store) => {
    reading = store.getAll();
  });
  if (!isRead) return false;
  stored.clear();
  for (const record of reading?.result ?? []) stored.set(record.id, record);
  tell();
  return true;
}

function keepOwn(id: string, record: Kept | undefined): void {
  const before = find(id);
  own.set(id, record);
  tellOf(before, record);
}

/** The database has `record` now. What this page has written since `written` comes after it. */
function settle(id: string, written: Kept | undefined, record: Kept | undefined): void {
  const before = find(id);
  if (own.get(id) === written) own.delete(id);
  if (record) stored.set(id, record);
  else stored.delete(id);
  tellOf(before, find(id));
}

/** A draft is nobody else's business. */
function tellOf(...changed: (Kept | undefined)[]): void {
  if (changed.some((record) => record && record.state !== "draft")) tell();
}

function tell(): void {
  const timeOf = (record: Kept) => (isEnded(record) ? 0 : record.at);
  shown = allRecords()
    .filter(({ state }) => state !== "draft")
    .sort((a, b) => timeOf(a) - timeOf(b));
  for (const listener of listeners) listener();
}

function announce(record: Kept | undefined): void {
  if (record?.state !== "draft") otherTabs()?.postMessage("changed");
}

/** Where it is missing or forbidden, each page learns of the others at its next look. */
function otherTabs(): BroadcastChannel | undefined {
  try {
    channel ??= new BroadcastChannel(DATABASE);
    return channel;
  } catch {
    return undefined;
  }
}
