/** A device for random histories: the product's outbox, senders and forms, on a fake disk with a fake server. */
import { vi } from "vitest";
import type { SendOutcome, SubmittedApplication } from "#lib/browser/entry.ts";
import { areSameValues, type FormValues } from "#lib/browser/form-values.ts";
import { FakeDisk } from "#testing/device/disk.ts";
import { DevicePage, type TabSession } from "#testing/device/page.ts";
import { filledInValues, receipt } from "#testing/fixtures/browser-application.ts";

/** `npm test` repeats the same histories; `DEVICE_HISTORIES=1000000 npx vitest run lib/browser/device` tries others. */
const { DEVICE_HISTORIES, DEVICE_SEED } = process.env;
export const HISTORY_OPTIONS = {
  numRuns: Number(DEVICE_HISTORIES ?? 10_000),
  seed: Number(DEVICE_SEED ?? (DEVICE_HISTORIES ? Date.now() : 1)),
};

const CONNECTION_LOST: SendOutcome = { kind: "later", errorText: undefined, reason: "connection" };

/** `lost`: the server's answer was lost. `dropped`: the request never reached the server. */
export type RequestEnding = "answered" | "lost" | "dropped" | "refused";

/** Lets all pending promises of the device settle. */
export async function flushPromises(): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) await Promise.resolve();
}

interface PendingSend {
  kept: SubmittedApplication;
  end: (outcome: SendOutcome) => void;
}

/** Each application has its own phone number. The sets `promised` to `mayHaveTwoKeys` name it by that number. */
export class Device {
  #phoneCount = 0;
  readonly disk = new FakeDisk();
  readonly pages: DevicePage[] = [];
  /** For each tab, the page that Back would show again. */
  readonly previousPages: (DevicePage | undefined)[] = [];
  readonly serviceWorker = new DevicePage(this, {});
  readonly requests: PendingSend[] = [];
  /** The server's rows by idempotency key. The server forgets no key. */
  readonly rows = new Map<string, FormValues>();
  /** The keys that the server has refused, and will always refuse. */
  readonly refused = new Set<string>();
  /** Applications that a form called kept or received, and has not given back since. */
  readonly promised = new Set<string | undefined>();
  /** Applications that the visitor has taken back or deleted, and not submitted since. */
  readonly takenBackOrDeleted = new Set<string | undefined>();
  /** Applications that may have two keys, from a duplicated tab or a disk that failed. */
  readonly mayHaveTwoKeys = new Set<string | undefined>();
  readonly sentAfterTakenBackOrDeleted: (string | undefined)[] = [];
  readonly keysWithOtherValues: string[] = [];

  constructor() {
    for (const index of [0, 1]) this.openPage(index, {});
  }

  newValues(): FormValues {
    this.#phoneCount += 1;
    return { ...filledInValues, phone: `010${String(this.#phoneCount).padStart(8, "0")}` };
  }

  openPage(
    index: number,
    session: TabSession,
    begin: Parameters<DevicePage["restore"]>[0] = {},
  ): void {
    const before = this.pages[index];
    if (before) before.isAlive = false;
    const page = new DevicePage(this, session);
    this.pages[index] = page;
    void page.restore(begin);
  }

  /** Opens another page of the same tab. Back can return to the page that is left. */
  leavePage(index: number): void {
    const page = this.pages[index];
    if (!page) return;
    this.openPage(index, page.session);
    this.previousPages[index] = page;
  }

  goBack(index: number): void {
    const [page, before] = [this.pages[index], this.previousPages[index]];
    if (!page || before?.session !== page.session) return;
    page.isAlive = false;
    before.isAlive = true;
    this.previousPages[index] = undefined;
    this.pages[index] = before;
    before.form.resume();
    void before.outbox.keepSending();
  }

  refreshOthers(page: DevicePage): void {
    for (const each of [...this.pages, this.serviceWorker])
      if (each !== page && each.isAlive) void each.outbox.refresh();
  }

  async send(by: DevicePage, kept: SubmittedApplication): Promise<SendOutcome> {
    if (!by.isAlive) return new Promise<never>(() => undefined);
    const { phone } = kept.values;
    if (this.takenBackOrDeleted.has(phone) && !this.mayHaveTwoKeys.has(phone))
      this.sentAfterTakenBackOrDeleted.push(phone);
    return new Promise((end) => this.requests.push({ kept, end }));
  }

  endRequest(request: PendingSend, how: RequestEnding): void {
    this.requests.splice(this.requests.indexOf(request), 1);
    const outcome =
      how === "dropped" ? CONNECTION_LOST : this.#arrive(request.kept, how === "refused");
    // A disk that cannot store the refusal keeps the application, which the form may submit with a second key.
    if (outcome.kind === "refused" && this.disk.fails)
      this.mayHaveTwoKeys.add(request.kept.values.phone);
    request.end(how === "lost" ? CONNECTION_LOST : outcome);
  }

  #arrive({ id, values }: SubmittedApplication, isRefusing: boolean): SendOutcome {
    const row = this.rows.get(id);
    if (row && !areSameValues(row, values)) this.keysWithOtherValues.push(id);
    if (!row && isRefusing) this.refused.add(id);
    if (this.refused.has(id))
      return { kind: "refused", refusal: { errorText: "", errors: { phone: "전화번호" } } };
    this.rows.set(id, values);
    return { kind: "received", receipt };
  }

  /** Notes which applications the forms now call kept or received, and which ones a form has given back. */
  notePromises(): void {
    for (const { form } of this.pages) {
      const { application, ...state } = form.getSnapshot();
      const { status } = state;
      if (status === "editing" && state.failure) this.promised.delete(application?.values.phone);
      if (status === "kept" || status === "received") this.promised.add(application?.values.phone);
    }
  }

  /** Ends the history: every page is closed, everything works, and the service worker sends what is kept. */
  async letEverythingArrive(): Promise<void> {
    this.disk.fails = false;
    for (const page of this.pages) page.isAlive = false;
    for (let round = 0; round < 3; round += 1) {
      await flushPromises();
      vi.setSystemTime(Date.now() + 60_000);
      void this.serviceWorker.outbox.sendWaiting();
      await flushPromises();
      while (this.requests[0]) {
        this.endRequest(this.requests[0], "answered");
        await flushPromises();
      }
    }
  }
}
