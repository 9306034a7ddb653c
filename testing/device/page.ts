/** A page of the fake device with its form, or its service worker, made of the product's own classes. */
import { parseApplication } from "#lib/application/rules.ts";
import { Drafts } from "#lib/browser/drafts.ts";
import { FormSubmission } from "#lib/browser/form-submission.ts";
import { areSameValues, type FormValues } from "#lib/browser/form-values.ts";
import { Outbox } from "#lib/browser/outbox.ts";
import type { Queued, SendOutcome } from "#lib/browser/record.ts";
import { Sender } from "#lib/browser/sender.ts";
import type { FakeDisk } from "#testing/device/disk.ts";
import type { FakeLocks } from "#testing/device/locks.ts";

export const TESTED_FORM = "dialog";

const isValid = (values: FormValues) => parseApplication(TESTED_FORM, values).ok;

/** The part of a device that a page uses. */
export interface DeviceForPage {
  disk: FakeDisk;
  locks: FakeLocks<DevicePage>;
  pages: DevicePage[];
  promised: Set<string | undefined>;
  replaced: Set<string | undefined>;
  replacedOnArrival: Map<string | undefined, string | undefined>;
  refreshOthers: (page: DevicePage) => void;
  send: (page: DevicePage, record: Queued) => Promise<SendOutcome>;
}

/** The storage of one tab, which a duplicated tab copies. */
export type TabStorage = Map<string, string>;

export class DevicePage {
  readonly device: DeviceForPage;
  readonly outbox: Outbox;
  readonly sender: Sender;
  readonly drafts: Drafts;
  readonly session: TabStorage;
  form: FormSubmission;
  fields: FormValues = {};
  isAlive = true;
  isOpen = true;
  /** The values that the previous form of this page had when it was replaced. */
  previousValues: FormValues | undefined;
  /** True if nobody has touched the form for longer than a lock lasts. */
  isIdle = false;

  constructor(device: DeviceForPage, session: TabStorage, isWorker = false) {
    this.device = device;
    this.session = session;
    const { locks } = device;
    const requestLock = (name: string) => locks.request(name, this);
    this.drafts = new Drafts({
      storage: () => ({
        getItem: (key) => this.session.get(key) ?? null,
        setItem: (key, value) => this.session.set(key, value),
        removeItem: (key) => this.session.delete(key),
      }),
      requestLock: (name, waitMs) => locks.request(name, this, waitMs),
    });
    this.outbox = new Outbox({
      commit: (work) => device.disk.transact(work, () => this.isAlive),
      transact: (work) => device.disk.transact(work, () => this.isAlive),
      refreshLocks: async () => undefined,
      openChannel: () => ({ onmessage: null, postMessage: () => device.refreshOthers(this) }),
    });
    this.sender = new Sender({
      outbox: this.outbox,
      send: (record) => device.send(this, record),
      locks: {
        requestLock,
        isLocked: (name) => locks.isHeld(name),
        refreshLocks: async () => undefined,
      },
      requestBackgroundSync: async () => undefined,
      isPageVisible: isWorker ? undefined : () => true,
    });
    this.form = this.#newForm();
  }

  async restore(refilled: FormValues): Promise<void> {
    this.fields = refilled;
    const values = await this.form.restore();
    if (!values) return;
    if (this.form.wasSubmitted(this.fields)) this.fields = {};
    this.fields = { ...values, ...this.fields };
    this.type(this.fields);
  }

  type(values: FormValues): void {
    this.isIdle = false;
    this.fields = values;
    this.form.edit(values);
  }

  /** Replaces a form whose submission has ended, as the component does. */
  replaceFinishedForm(): void {
    if (!this.isAlive || !this.form.getSnapshot().whenDone) return;
    this.previousValues = this.fields;
    this.form.setOpen(false);
    this.fields = {};
    this.form = this.#newForm();
    this.form.setOpen(this.isOpen);
  }

  submit(): void {
    if (!this.isOpen || !isValid(this.fields)) return;
    this.#noteNewVersion(true);
    void this.form.submit(this.fields);
  }

  /** The form gets no more input, so it counts as abandoned. */
  setIdle(): void {
    if (this.isOpen && !this.isIdle && isValid(this.fields)) this.#noteNewVersion(false);
    this.isIdle = true;
  }

  setOpen(isOpen: boolean): void {
    if (!isOpen && isValid(this.fields)) this.#noteNewVersion(false);
    this.isOpen = isOpen;
    this.isIdle = false;
    this.form.setOpen(isOpen);
  }

  /** Notes that the fields are about to replace the queued version. */
  #noteNewVersion(isSubmission: boolean): void {
    const { status, submitted } = this.form.getSnapshot();
    // A visitor who submits values again, perhaps in another tab, wants them sent.
    if (isSubmission && status !== "sending") this.device.replaced.delete(this.fields.phone);
    if (areSameValues(submitted, this.fields)) return;
    const { disk } = this.device;
    const isReplaced = status === "queued" || (isSubmission && status === "rejected");
    if (disk.fails) {
      if (isSubmission && isReplaced)
        this.device.replacedOnArrival.set(this.fields.phone, submitted.phone);
      return;
    }
    // A rejection that the disk could not store leaves its record queued on the disk.
    const versions = [...disk.records.values()].filter(
      ({ id, ...each }) =>
        each.state === "queued" &&
        each.values.phone === submitted.phone &&
        this.outbox.find(id)?.state !== "rejected",
    );
    // A second record with the same values, such as another tab's, stays queued when the first one is replaced.
    const own = status === "queued" ? 1 : 0;
    if (isReplaced && versions.length <= own) this.device.replaced.add(submitted.phone);
    if (status === "queued") this.device.promised.add(this.fields.phone);
  }

  end(): void {
    this.isAlive = false;
    this.device.locks.releaseAll(this);
  }

  #newForm(): FormSubmission {
    const { outbox, sender, drafts } = this;
    return new FormSubmission(TESTED_FORM, { outbox, sender, drafts });
  }
}
