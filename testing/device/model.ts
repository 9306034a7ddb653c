/** A device for random histories: the product's outbox, senders and forms, on a fake disk with a fake server. */
import { expect, vi } from "vitest";
import { parseApplication } from "#lib/application/rules.ts";
import { areSameValues, type FormValues } from "#lib/browser/form-values.ts";
import type { Queued, SendOutcome } from "#lib/browser/record.ts";
import { FakeDisk } from "#testing/device/disk.ts";
import { FakeLocks } from "#testing/device/locks.ts";
import { DevicePage, type TabStorage, TESTED_FORM } from "#testing/device/page.ts";
import { filledIn, receipt } from "#testing/fixtures/browser-application.ts";

/** `DEVICE_HISTORIES=1000000 npx vitest run lib/browser/device` tries other histories than each `npm test`. */
const { DEVICE_HISTORIES, DEVICE_SEED } = process.env;
export const HISTORY_OPTIONS = {
  numRuns: Number(DEVICE_HISTORIES ?? 10_000),
  seed: Number(DEVICE_SEED ?? (DEVICE_HISTORIES ? Date.now() : 1)),
};

const LATER: SendOutcome = { kind: "later", errorText: undefined, reason: "connection" };

/** `lost`: the server's answer was lost. `dropped`: the request never reached the server. */
export type RequestEnding = "answered" | "lost" | "dropped" | "rejected";

/** Lets all pending promises of the device settle. */
export async function flushPromises(): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) await Promise.resolve();
}

interface Request {
  record: Queued;
  by: DevicePage;
  isSubmission: boolean;
  end: (outcome: SendOutcome) => void;
}

export class Device {
  #names = 0;
  readonly disk = new FakeDisk(() => {
    this.hasExpired ||= [...this.disk.records.values()].some(({ state }) => state === "expired");
  });
  readonly locks = new FakeLocks<DevicePage>();
  readonly pages: DevicePage[] = [];
  readonly worker: DevicePage;
  readonly requests: Request[] = [];
  /** The server's rows by idempotency key. */
  readonly rows = new Map<string, FormValues>();
  /** Phone numbers of the applications that the server has answered. */
  readonly answered = new Set<string | undefined>();
  /** The keys that the server has refused, and will always refuse. */
  readonly refused = new Set<string>();
  /** Each version has its own phone number. This set has the numbers of versions that a form called queued. */
  readonly promised = new Set<string | undefined>();
  readonly removed = new Set<string | undefined>();
  readonly replaced = new Set<string | undefined>();
  /** Number of the new version → number of the old one, which is replaced once the server answers the new version. */
  readonly replacedOnArrival = new Map<string | undefined, string | undefined>();
  readonly complaints: string[] = [];
  hasExpired = false;
  hasFailed = false;

  constructor() {
    this.worker = new DevicePage(this, new Map(), true);
    for (const index of [0, 1]) this.openPage(index, new Map());
  }

  newValues(change: FormValues = {}): FormValues {
    this.#names += 1;
    return { ...filledIn, phone: `010${String(this.#names).padStart(8, "0")}`, ...change };
  }

  openPage(index: number, session: TabStorage, refilled: FormValues = {}): void {
    this.pages[index]?.end();
    const page = new DevicePage(this, session);
    this.pages[index] = page;
    void page.restore(refilled);
  }

  refreshOthers(page: DevicePage): void {
    for (const each of [...this.pages, this.worker])
      if (each !== page && each.isAlive) void each.outbox.refresh();
  }

  async send(by: DevicePage, record: Queued): Promise<SendOutcome> {
    const { id, values } = record;
    if (!by.isAlive) return new Promise<never>(() => undefined);
    if (this.replaced.has(values.phone)) this.complaints.push("a replaced version is sent");
    if (this.pages.some((page) => page.isAlive && this.#isEditing(page, values)))
      this.complaints.push("a version is sent while its form is edited");
    const others = this.requests.filter((each) => each.record.id === id && each.by.isAlive);
    const { status, submitted } = by.form.getSnapshot();
    const isSubmission = status === "sending" && areSameValues(submitted, values);
    // A visitor may submit while a sender sends the same record.
    if (others.some((each) => each.isSubmission || !isSubmission))
      this.complaints.push("two requests for one submission");
    return new Promise((end) => this.requests.push({ record, by, isSubmission, end }));
  }

  #isEditing({ isOpen, isIdle, form, fields }: DevicePage, values: FormValues): boolean {
    const { status, submitted } = form.getSnapshot();
    const isShown = isOpen && !isIdle && status === "queued" && areSameValues(submitted, values);
    return isShown && !areSameValues(fields, values);
  }

  end(request: Request, how: RequestEnding): void {
    this.requests.splice(this.requests.indexOf(request), 1);
    const outcome = how === "dropped" ? LATER : this.#arrive(request.record, how === "rejected");
    request.end(how === "answered" || how === "rejected" ? outcome : LATER);
  }

  #arrive({ id, values }: Queued, isRefusing: boolean): SendOutcome {
    const refusal = { errorText: "", errors: { phone: "전화번호" } };
    const row = this.rows.get(id);
    if (row) {
      expect(row, "one key, one set of values").toEqual(values);
      return { kind: "received", receipt };
    }
    const isValid = parseApplication(TESTED_FORM, { ...values, age: Number(values.age) }).ok;
    expect(isValid, "the server refuses what the form accepted").toBe(true);
    this.answered.add(values.phone);
    if (isRefusing) this.refused.add(id);
    if (this.refused.has(id)) return { kind: "rejected", refusal };
    this.rows.set(id, values);
    return { kind: "received", receipt };
  }

  /** Expects that no invariant was broken, and that each form's `status` agrees with the records on the disk. */
  expectTrueForms(): void {
    expect(this.complaints).toEqual([]);
    this.hasFailed ||= this.disk.fails;
    for (const { isAlive, form } of this.pages) {
      if (!isAlive || this.disk.fails) continue;
      const { status, submitted } = form.getSnapshot();
      const stored = [...this.disk.records.values()].filter(
        (each) => each.state === "queued" && areSameValues(each.values, submitted),
      );
      if (status === "queued") expect(stored, "a form says queued").not.toEqual([]);
      // The rejection of a version may not be on the disk yet.
      if (status === "not-queued")
        expect(
          stored.every(({ id }) => this.refused.has(id)),
          "a form says not-queued",
        ).toBe(true);
      if (status === "queued") this.promised.add(submitted.phone);
    }
  }

  /** Ends the history: everything works from now on, the visitor leaves every page, and comes back. */
  async settle(): Promise<void> {
    this.disk.fails = false;
    for (const page of this.pages) page.setOpen(false);
    for (const page of this.pages) page.end();
    for (let round = 0; round < 3; round += 1) {
      await flushPromises();
      vi.setSystemTime(Date.now() + 60_000);
      void this.worker.sender.sendQueued();
      await flushPromises();
      while (this.requests[0]) {
        this.end(this.requests[0], "answered");
        await flushPromises();
      }
    }
  }

  expectPromisesKept(): void {
    const sent = [...this.rows.values()].map(({ phone }) => phone);
    const rejected = [...this.disk.records.values()].map((each) =>
      each.state === "rejected" ? each.values.phone : undefined,
    );
    const replaced = [...this.answered].map((phone) => this.replacedOnArrival.get(phone));
    const ends = [...sent, ...rejected, ...this.replaced, ...replaced, ...this.removed];
    if (this.hasExpired) return;
    expect(ends, "every queued version").toEqual(expect.arrayContaining([...this.promised]));
    // A page that could store nothing loses the key, so that a repeat counts as another submission.
    if (!this.hasFailed) expect(new Set(sent).size, "sent once").toBe(sent.length);
  }
}
