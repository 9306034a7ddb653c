/** A device for random histories: store, network and server as a model, around the product's records and forms. */
import { expect, vi } from "vitest";
import { FormRecord } from "#lib/browser/form-record.ts";
import { type FormValues, sameValues } from "#lib/browser/form-values.ts";
import { type Change, KEEP_MS, type Kept, next, type Waiting } from "#lib/browser/record.ts";
import { filledIn, receipt } from "#testing/fixtures/browser-application.ts";

export const DAY_MS = 86_400_000;
const PHONE_DIGITS = 13;

export class Page {
  /** The records whose lock it has. */
  readonly held = new Set<string>();
  /** Ids that the store has not taken. */
  readonly unstored = new Set<string>();
  known: Map<string, Kept>;
  readonly tab: string;
  readonly #device: Device;
  form = new FormRecord("dialog");
  values: FormValues;
  isOpen = true;
  isLeft = false;

  constructor(device: Device, tab: string) {
    this.#device = device;
    this.tab = tab;
    this.known = new Map(device.stored);
    this.values = device.newValues();
  }

  /** The form passes the checks of the browser. */
  get isValid(): boolean {
    return this.values.phone?.length === PHONE_DIGITS;
  }

  /** Its form is open and differs from what was pressed. */
  changes(id: string): boolean {
    const { form, values } = this;
    const differs = form.pressed !== undefined && !sameValues(values, form.pressed);
    return this.isOpen && differs && form.record?.id === id;
  }

  leave(): void {
    this.#device.page = this;
    this.form.at(false);
    this.isOpen = false;
  }

  /** The application has ended, and an empty form follows. */
  empty(): void {
    expect(this.form.record?.state, "emptied while it waits").not.toBe("waiting");
    if (this.isOpen) expect(this.values, "emptied while it is changed").toEqual(this.form.pressed);
    this.form.at(false);
    [this.form, this.values] = [new FormRecord("dialog"), this.#device.newValues()];
  }
}

interface Sending {
  sent: Waiting;
  by: Page | undefined;
  isStored: boolean;
  isRenamed: boolean;
}

export class Device {
  #names = 0;
  #hasExpired = false;
  readonly stored = new Map<string, Kept>();
  readonly pages = [new Page(this, "one"), new Page(this, "two")] as [Page, Page];
  /** The page whose code runs. */
  page = this.pages[0];
  readonly underway: Sending[] = [];
  /** Rows by key, as on the server. */
  readonly rows = new Map<string, FormValues>();
  readonly told = new Set<string>();
  /** The last values of a record that passed the checks and that the store has taken. */
  readonly latest = new Map<string, FormValues>();
  /** How much time really passed since the last change of a record, and whether the clock was set meanwhile. */
  readonly ages = new Map<string, { ms: number; jumped: boolean }>();
  /** How records ended; what was seen is forgotten after a day. */
  readonly ends = new Map<string, Kept>();
  storageFails = false;

  newName(): string {
    this.#names += 1;
    return `n${this.#names}`;
  }

  newValues(): FormValues {
    return { ...filledIn, phone: `010-${this.newName().padStart(9, "0")}` };
  }

  async put(record: Kept): Promise<boolean> {
    this.page.known.set(record.id, record);
    if (this.storageFails) {
      this.page.unstored.add(record.id);
      return false;
    }
    this.page.unstored.delete(record.id);
    if (record.state === "waiting") this.latest.set(record.id, record.values);
    if (record.ageMs === 0 && record.lookedAt === Date.now())
      this.ages.set(record.id, { ms: 0, jumped: false });
    this.#write(record.id, record);
    return true;
  }

  async remove(id: string): Promise<void> {
    this.told.delete(id);
    if (this.storageFails) this.page.known.delete(id);
    else this.#write(id, undefined);
  }

  press(record: Waiting) {
    const isStored = !this.storageFails;
    void this.put(record);
    this.underway.push({ sent: record, by: this.page, isStored, isRenamed: false });
    return new Promise<never>(() => undefined);
  }

  /** What a page or, without one, the service worker does with all that waits. */
  sendAll(by: Page | undefined): void {
    if (this.storageFails) return;
    for (const id of this.stored.keys()) {
      if (by && this.underway.some((each) => each.by === by && each.sent.id === id)) continue;
      const time = { now: Date.now(), isLook: by !== undefined };
      const record = this.#change(id, { type: "time", ...time }, by);
      if (record?.state !== "waiting") continue;
      const isHeld = this.pages.some(({ held }) => held.has(id));
      const isChanged = this.pages.some((each) => each.changes(id));
      expect(isHeld, "held while its form differs").toBe(isChanged);
      if (isHeld) continue;
      expect(record.values, "an earlier version is sent").toEqual(this.latest.get(id));
      this.underway.push({ sent: record, by: undefined, isStored: true, isRenamed: false });
    }
  }

  answer(sending: Sending, how: "answered" | "lost" | "dropped"): void {
    this.underway.splice(this.underway.indexOf(sending), 1);
    const { sent, by } = sending;
    const isPress = by !== undefined;
    if (by?.isLeft) {
      // Nobody hears the answer; the request may have arrived.
      if (how !== "dropped") this.#arrive(sent);
      return;
    }
    const outcome = how === "dropped" ? "later" : this.#arrive(sent);
    const now = Date.now();
    const heard = how === "answered" ? outcome : "later";
    const outcomes = {
      received: { kind: "received", receipt },
      reused: { ...LATER, kind: sending.isRenamed ? "later" : "reused" },
      later: LATER,
    } as const;
    const before = this.stored.get(sent.id);
    const isKept = !isPress || sending.isStored;
    const answered = { outcome: outcomes[heard], byPress: isPress, isKept, now };
    const after = this.#change(sent.id, { type: "answered", sent, ...answered }, by);
    if (after?.state === "expired" && before?.state === "waiting") this.#expired(sent.id);
    const isSame = after?.state === "waiting" && after.key !== sent.key;
    if (heard === "reused" && isSame && !sending.isRenamed) {
      this.underway.push({ ...sending, sent: after, isRenamed: true });
      return;
    }
    if (by) by.form.result = heard === "received" ? outcomes.received : resultOf(sending);
    for (const each of this.pages) {
      this.page = each;
      if (each.form.end) each.empty();
    }
    if (heard === "received" || !isPress) return;
    if (sending.isStored) this.told.add(sent.id);
    else this.#setAside(sent.id, after, by);
  }

  /** Everything works from now on, and the visitor comes back: all that waits is sent. */
  settle(): void {
    this.storageFails = false;
    for (const each of this.pages) each.leave();
    for (let round = 0; round < 4; round += 1) {
      while (this.underway[0]) this.answer(this.underway[0], "answered");
      vi.setSystemTime(Date.now() + 60_000);
      this.sendAll(undefined);
    }
  }

  expectPromisesKept(): void {
    for (const id of this.told) {
      const record = this.ends.get(id);
      expect(["received", "expired"], `${id} was told kept`).toContain(record?.state);
      if (record?.state !== "received") continue;
      expect(this.rows.get(record.key), "the server has the last version").toEqual(
        this.latest.get(id),
      );
    }
    for (const values of this.rows.values()) expect(values.phone).toHaveLength(PHONE_DIGITS);
    const contents = [...this.rows.values()].map(({ phone }) => phone);
    // A visitor repeats an expired application, which may have arrived all the same.
    if (!this.#hasExpired)
      expect(new Set(contents).size, "one row for each version").toBe(contents.length);
  }

  #arrive({ key, values }: Waiting): "received" | "reused" {
    const before = this.rows.get(key);
    if (!before) this.rows.set(key, values);
    return !before || before.phone === values.phone ? "received" : "reused";
  }

  #expired(id: string): void {
    const age = this.ages.get(id);
    // A clock that was set twice can make anything look old.
    if (age) expect(age.ms, id).toBeGreaterThanOrEqual(age.jumped ? DAY_MS : KEEP_MS);
  }

  #setAside(id: string, record: Kept | undefined, by: Page): void {
    this.told.delete(id);
    if (this.storageFails) return;
    this.#write(id, undefined);
    if (!record) return;
    by.known.set(id, record);
    by.unstored.add(id);
  }

  #change(id: string, change: Change, by: Page | undefined): Kept | undefined {
    const isAhead = this.storageFails || by?.unstored.has(id);
    const before = isAhead ? by?.known.get(id) : this.stored.get(id);
    const after = next(before, change);
    if (!this.storageFails) {
      by?.unstored.delete(id);
      if (after?.state === "waiting") this.latest.set(id, after.values);
      if (isAhead && change.type === "answered" && change.outcome.kind === "received")
        this.latest.set(id, change.sent.values);
      this.#write(id, after);
    } else if (after) by?.known.set(id, after);
    if (after?.state === "received" || after?.state === "expired") this.ends.set(id, after);
    this.#hasExpired ||= after?.state === "expired";
    return after;
  }

  #write(id: string, record: Kept | undefined): void {
    // What a page alone knows, no reading undoes.
    const reading = this.pages.filter(({ unstored }) => !unstored.has(id));
    for (const known of [this.stored, ...reading.map((each) => each.known)]) {
      if (record) known.set(id, record);
      else known.delete(id);
    }
  }
}

const resultOf = ({ isStored }: Sending) => ({ kind: isStored ? "kept" : "unkept" }) as const;

const LATER = { kind: "later", errorText: undefined, reason: undefined } as const;
