/**
 * The records of this device, in IndexedDB, and what this page knows of them. No operation throws: where the browser
 * keeps nothing, a record lives as long as the page.
 *
 * A form writes without reading before it (`put`), in the turn of the press: what is committed then survives the end
 * of the tab. Everybody else changes what is stored by `change`, in one transaction: no tab undoes another's work.
 */
import { abort, DATABASE, readAll, rewrite, write } from "#lib/browser/database.ts";
import { type Change, type Draft, isEnded, type Kept, next } from "#lib/browser/record.ts";

const known = new Map<string, Kept>();
/** What the browser has not taken. */
const unstored = new Set<string>();
/** The records that a form, a panel or a toast of this page shows. */
const here = new Set<string>();
let shown: readonly Kept[] = [];
let writes = 0;
const listeners = new Set<() => void>();

let channel: BroadcastChannel | undefined;

/** All records but drafts, the oldest first; for useSyncExternalStore. */
export function records(): readonly Kept[] {
  return shown;
}

/** Of all records, drafts too. */
export function ids(): readonly string[] {
  return [...known.keys()];
}

export function find(id: string): Kept | undefined {
  return known.get(id);
}

export function draftOf(form: string, tab: string): Draft | undefined {
  return [...known.values()].find(
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
  try {
    channel ??= new BroadcastChannel(DATABASE);
    channel.onmessage = () => void refresh();
  } catch {
    // Missing or forbidden: this page learns of the others at its next look.
  }
  return () => void listeners.delete(listener);
}

/** Writes a record over the one with its id. True once it is on the disk. */
export async function put(record: Kept): Promise<boolean> {
  remember(record.id, record);
  const isStored = await write((store) => store.put(record));
  if (isStored) unstored.delete(record.id);
  else unstored.add(record.id);
  announce(record);
  return isStored;
}

/** What becomes of a record, by what is stored now. */
export async function change(id: string, event: Change): Promise<Kept | undefined> {
  const before = known.get(id);
  let after: Kept | undefined;
  const isStored = await rewrite((store, transaction) => {
    const reading = store.get(id);
    reading.onsuccess = () => {
      after = next(unstored.has(id) ? before : reading.result, event);
      try {
        if (after) store.put(after);
        else store.delete(id);
      } catch {
        // WebKit answers also after the page was left, which has aborted the transaction.
        abort(transaction);
      }
    };
  });
  if (isStored) unstored.delete(id);
  else after = next(known.get(id), event);
  // A form of this page has written meanwhile: whichever came last is in the database.
  if (known.get(id) !== before && isStored) await refresh();
  else remember(id, after);
  announce(after);
  return after;
}

/** Takes a record out. `stays`: what this page alone still knows of it. */
export async function remove(id: string, stays?: Kept): Promise<void> {
  remember(id, stays);
  if (stays) unstored.add(id);
  else unstored.delete(id);
  await write((store) => store.delete(id));
  announce(undefined);
}

/** Reads everything anew. False when the database has not answered: there may be more. */
export async function refresh(): Promise<boolean> {
  const began = writes;
  const stored = await readAll();
  if (!stored) return false;
  // Written meanwhile: what was read is old.
  if (began !== writes) return refresh();
  for (const id of known.keys()) if (!unstored.has(id)) known.delete(id);
  for (const record of stored) known.set(record.id, record);
  tell();
  return true;
}

function remember(id: string, record: Kept | undefined): void {
  writes += 1;
  const before = known.get(id);
  if (record) known.set(id, record);
  else known.delete(id);
  if (isShown(before) || isShown(record)) tell();
}

const isShown = (record: Kept | undefined) => record !== undefined && record.state !== "draft";

function tell(): void {
  shown = [...known.values()].filter(isShown).sort((a, b) => timeOf(a) - timeOf(b));
  for (const listener of listeners) listener();
}

const timeOf = (record: Kept) => (isEnded(record) ? 0 : record.at);

/** Tells the other tabs. A draft is nobody else's business. */
function announce(record: Kept | undefined): void {
  if (record?.state === "draft") return;
  try {
    const speaker = new BroadcastChannel(DATABASE);
    speaker.postMessage("changed");
    speaker.close();
  } catch {
    // The other tabs learn of it at their next look.
  }
}
