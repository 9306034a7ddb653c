/** A page of the fake device with its form, or its service worker, made of the product's own classes. */
import type { Draft } from "#lib/browser/draft.ts";
import type { SendOutcome, SubmittedApplication } from "#lib/browser/entry.ts";
import { FormSubmission } from "#lib/browser/form-submission.ts";
import type { FormValues } from "#lib/browser/form-values.ts";
import { Outbox } from "#lib/browser/outbox.ts";
import type { FakeDisk } from "#testing/device/disk.ts";

/** The part of a device that a page uses. */
export interface DeviceForPage {
  disk: FakeDisk;
  refreshOthers: (page: DevicePage) => void;
  send: (page: DevicePage, kept: SubmittedApplication) => Promise<SendOutcome>;
}

/** The storage of one tab, which a duplicated tab copies. */
export interface TabSession {
  draft?: Draft | "submitted" | undefined;
}

export class DevicePage {
  readonly outbox: Outbox;
  readonly form: FormSubmission;
  readonly session: TabSession;
  fields: FormValues = {};
  isAlive = true;
  #round = 0;

  constructor(device: DeviceForPage, session: TabSession) {
    this.session = session;
    this.outbox = new Outbox({
      ...device.disk.forPage(() => this.isAlive),
      send: (kept) => device.send(this, kept),
      requestBackgroundSync: async () => undefined,
      openChannel: () => ({ onmessage: null, postMessage: () => device.refreshOthers(this) }),
    });
    this.form = new FormSubmission("dialog", {
      outbox: this.outbox,
      readDraft: () => structuredClone(session.draft),
      // In this model, a page that has ended still gets the answers to its earlier requests, but can write no draft.
      writeDraft: (draft) => {
        if (this.isAlive) session.draft = structuredClone(draft);
      },
    });
    this.form.subscribe(() => this.#emptyNewForm());
  }

  /** `refilled`: what the browser has restored in the fields. `edit`: the application that a link names. */
  async restore({
    refilled = {},
    edit = null,
  }: {
    refilled?: FormValues;
    edit?: string | null;
  } = {}) {
    this.fields = refilled;
    const values = await this.form.restore(edit);
    if (values !== undefined) this.fields = values === "submitted" ? {} : values;
    this.form.writeTyped(this.fields);
  }

  type(values: FormValues): void {
    if (this.form.getSnapshot().status !== "editing") return;
    this.fields = values;
    this.form.writeTyped(values);
  }

  submit(): void {
    const { status } = this.form.getSnapshot();
    if (status === "kept") void this.form.retry();
    else if (status === "editing" && this.fields.phone) void this.form.submit(this.fields);
  }

  async takeBack(): Promise<void> {
    const { status } = await this.form.takeBack();
    // On /contact a new form replaces the panel.
    if (status === "editing") await this.restore();
  }

  /** Does the work of the component: renders an empty form for a new round, and restores the draft there. */
  #emptyNewForm(): void {
    const { round } = this.form.getSnapshot();
    if (round === this.#round) return;
    this.#round = round;
    void this.restore();
  }
}
