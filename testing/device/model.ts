/** A device for random histories: the product's outbox, senders and forms, on a fake disk with a fake server. */
import { expect, vi } from "vitest";
import { isKept, type Kept, type SendOutcome } from "#lib/browser/entry.ts";
import type { FormValues } from "#lib/browser/form-values.ts";
import { FakeDisk } from "#testing/device/disk.ts";
import { DevicePage, type TabSession } from "#testing/device/page.ts";
import { filledIn, receipt } from "#testing/fixtures/browser-application.ts";

/** `DEVICE_HISTORIES=1000000 npx vitest run lib/browser/device` tries other histories than each `npm test`. */
const { DEVICE_HISTORIES, DEVICE_SEED } = process.env;
export const HISTORY_OPTIONS = {
  numRuns: Number(DEVICE_HISTORIES ?? 10_000),
  seed: Number(DEVICE_SEED ?? (DEVICE_HISTORIES ? Date.now() : 1)),
};

const LATER: SendOutcome = { kind: "later", errorText: undefined, reason: "connection" };

/** `lost`: the server's answer was lost. `dropped`: the request never reached the server. */
export type RequestEnding = "answered" | "lost" | "dropped" | "refused";

/** Lets all pending promises of the device settle. */
export async function flushPromises(): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) await Promise.resolve();
}

interface Request {
  kept: Kept;
  end: (outcome: SendOutcome) => void;
}

/** Each application has its own phone number, by which these sets name it. */
export class Device {
  #names = 0;
  readonly disk = new FakeDisk();
  readonly pages: DevicePage[] = [];
  /** The page that Back would show again, of each tab. */
  readonly left: (DevicePage | undefined)[] = [];
  readonly worker = new DevicePage(this, {});
  readonly requests: Request[] = [];
  /** The server's rows by idempotency key. The server forgets no key. */
  readonly rows = new Map<string, FormValues>();
  /** The keys that the server has refused, and will always refuse. */
  readonly refused = new Set<string>();
  /** Applications that a form called kept or received. */
  readonly promised = new Set<string | undefined>();
  /** Applications that the visitor has taken back or deleted, and not submitted since. */
  readonly ended = new Set<string | undefined>();
  /** Applications that the visitor may submit with two keys. */
  readonly copied = new Set<string | undefined>();
  readonly complaints: string[] = [];
  hasFailed = false;

  constructor() {
    for (const index of [0, 1]) this.openPage(index, {});
  }

  newValues(): FormValues {
    this.#names += 1;
    return { ...filledIn, phone: `010${String(this.#names).padStart(8, "0")}` };
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
    this.left[index] = page;
  }

  goBack(index: number): void {
    const [page, before] = [this.pages[index], this.left[index]];
    if (!page || before?.session !== page.session) return;
    page.isAlive = false;
    before.isAlive = true;
    this.left[index] = undefined;
    this.pages[index] = before;
    before.form.resume();
    void before.sender.run();
  }

  refreshOthers(page: DevicePage): void {
    for (const each of [...this.pages, this.worker])
      if (each !== page && each.isAlive) void each.outbox.refresh();
  }

  async send(by: DevicePage, kept: Kept): Promise<SendOutcome> {
    if (!by.isAlive) return new Promise<never>(() => undefined);
    const { phone } = kept.values;
    // A copied application may have two keys, of which one is still kept.
    if (this.ended.has(phone) && !this.copied.has(phone))
      this.complaints.push("an ended application is sent");
    return new Promise((end) => this.requests.push({ kept, end }));
  }

  end(request: Request, how: RequestEnding): void {
    this.requests.splice(this.requests.indexOf(request), 1);
    const outcome = how === "dropped" ? LATER : this.#arrive(request.kept, how === "refused");
    request.end(how === "lost" ? LATER : outcome);
  }

  #arrive({ id, values }: Kept, isRefusing: boolean): SendOutcome {
    const row = this.rows.get(id);
    if (row) expect(row, "one key, one set of values").toEqual(values);
    else if (isRefusing) this.refused.add(id);
    if (this.refused.has(id))
      return { kind: "refused", refusal: { errorText: "", errors: { phone: "전화번호" } } };
    this.rows.set(id, values);
    return { kind: "received", receipt };
  }

  /** Expects that no invariant was broken, and that each form says what is true. */
  expectTrueForms(): void {
    expect(this.complaints).toEqual([]);
    this.hasFailed ||= this.disk.fails;
    for (const { form, fields } of this.pages) {
      const { application, ...state } = form.getSnapshot();
      const { status } = state;
      // The form has given the application back to the visitor.
      if (status === "editing" && state.failure) this.promised.delete(application?.values.phone);
      // The same values may be submitted again with the same key.
      const hasKey = application?.values.phone === fields.phone;
      if (status === "editing" && this.promised.has(fields.phone) && !hasKey)
        expect([...this.ended, ...this.copied], "a second submission").toContain(fields.phone);
      if (!application) continue;
      const { id, values } = application;
      // A duplicated tab may submit the same values with the same key.
      const isElsewhere = this.pages.some(
        (page) => page.form !== form && page.form.getSnapshot().application?.id === id,
      );
      if (status === "editing" && state.failure && !this.hasFailed && !isElsewhere)
        expect(this.#storedKeys(), "given back").not.toContain(id);
      if (status === "kept" && !this.disk.fails)
        expect(this.#storedKeys(), "a form says kept").toContain(id);
      if (status === "received") expect(this.rows.get(id), "a form says received").toEqual(values);
      if (status === "kept" || status === "received") this.promised.add(values.phone);
    }
  }

  #storedKeys(): string[] {
    return [...this.disk.entries.values()].filter(isKept).map(({ id }) => id);
  }

  /** Ends the history: everything works from now on, the visitor leaves every page, and comes back. */
  async settle(): Promise<void> {
    this.disk.fails = false;
    for (const page of this.pages) page.isAlive = false;
    for (let round = 0; round < 3; round += 1) {
      await flushPromises();
      vi.setSystemTime(Date.now() + 60_000);
      void this.worker.sender.sendWaiting();
      await flushPromises();
      while (this.requests[0]) {
        this.end(this.requests[0], "answered");
        await flushPromises();
      }
    }
  }

  expectPromisesKept(): void {
    const sent = [...this.rows.values()].map(({ phone }) => phone);
    const kept = [...this.disk.entries.values()].filter(isKept);
    const refused = kept.filter(({ refusal }) => refusal).map(({ values }) => values.phone);
    expect(kept, "everything is sent").toHaveLength(refused.length);
    const drafts = this.pages.map(({ session: { draft } }) =>
      typeof draft === "object" ? draft.values.phone : undefined,
    );
    const ends = [...sent, ...refused, ...drafts, ...this.ended];
    expect(ends, "every application").toEqual(expect.arrayContaining([...this.promised]));
    const once = sent.filter((phone) => !this.copied.has(phone));
    expect(new Set(once).size, "sent once").toBe(once.length);
  }
}
