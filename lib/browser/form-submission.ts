/** One form on one page: the fields, the version that was submitted last, and its result. */

import type { FormName } from "#lib/application/fields.ts";
import { type DraftKind, type Drafts, drafts } from "#lib/browser/drafts.ts";
import {
  type FailedAttempt,
  type FormState,
  formState,
  type Version,
} from "#lib/browser/form-state.ts";
import { type FormValues, sameValues } from "#lib/browser/form-values.ts";
import { type LockRequest, requestLock } from "#lib/browser/locks.ts";
import { type Outbox, outbox } from "#lib/browser/outbox.ts";
import { randomId } from "#lib/browser/random-id.ts";
import { type DeviceRecord, type Queued, queuedRecord } from "#lib/browser/record.ts";
import { editingLock, type Sender, sender } from "#lib/browser/sender.ts";
import { claimTab, holdTab } from "#lib/browser/tab-claim.ts";

/** A form without input for this long counts as abandoned. */
const EDITING_LIMIT_MS = 10 * 60 * 1_000;

export interface FormSubmissionDeps {
  outbox: Outbox;
  sender: Pick<Sender, "submit" | "schedule">;
  drafts: Drafts;
  requestLock: (name: string) => LockRequest;
  claimTab: () => Promise<boolean>;
  holdTab: () => void;
}

const BROWSER: FormSubmissionDeps = { outbox, sender, drafts, requestLock, claimTab, holdTab };

export class FormSubmission {
  readonly form: FormName;
  /** React's key of the form: the next submission begins with new fields. */
  readonly reactKey = randomId();
  readonly #deps: FormSubmissionDeps;
  /** The last submission. Other values get another id, which is the idempotency key. */
  #version: Version | undefined;
  #values: FormValues = {};
  #isValid = false;
  #isSending = false;
  #isOpen = true;
  #failure: FailedAttempt = { isStored: true };
  #editing: { lock: LockRequest; timer: ReturnType<typeof setTimeout> } | undefined;
  #snapshot: FormState | undefined;

  constructor(form: FormName, deps: FormSubmissionDeps = BROWSER) {
    this.form = form;
    this.#deps = deps;
  }

  /** Calls back after each change of the form or of its record. */
  readonly subscribe = (listener: () => void): (() => void) =>
    this.#deps.outbox.subscribe(() => {
      this.#snapshot = undefined;
      listener();
    });

  readonly getSnapshot = (): FormState => {
    this.#snapshot ??= formState({
      form: this.form,
      version: this.#version,
      record: this.#record,
      failure: this.#failure,
      isSending: this.#isSending,
      isOpen: this.#isOpen,
      isChanged: this.#isChanged,
    });
    return this.#snapshot;
  };

  /** Takes the changed fields. `isValid`: they could be submitted. */
  edit(values: FormValues, isValid: boolean): void {
    if (this.#isSending) return;
    this.#values = values;
    this.#isValid = isValid;
    // A queued version is in the outbox, and needs no draft.
    if (this.#record?.state !== "queued") this.#deps.drafts.save(values, this.#rejectedId);
    this.#publish();
  }

  /** Commits the values before its first `await`, then sends them. One submission at a time. */
  async submit(values: FormValues): Promise<FormState> {
    if (this.#isSending) return this.getSnapshot();
    this.#isSending = true;
    try {
      const { drafts, sender } = this.#deps;
      const kind = this.#rejectedId === undefined ? "draft" : "correction";
      const [record, replaced] = this.#newVersion(values);
      const { stored, outcome } = sender.submit(record, replaced);
      this.#publish();
      const isStored = await stored;
      if (isStored) this.#endDraft(kind, values);
      const result = await outcome;
      this.#failure = result.kind === "later" ? { ...result, isStored } : { isStored: true };
      if (result.kind === "received") this.#endDraft(kind, values);
      if (result.kind === "rejected") drafts.save(values, isStored ? record.id : undefined);
    } catch {
      // An exception that no browser should throw: the form reports that nobody has the application.
      this.#version = { id: randomId(), values, at: 0 };
      this.#failure = { isStored: false };
    }
    this.#isSending = false;
    this.#publish();
    return this.getSnapshot();
  }

  /** Reports that the dialog was opened or closed, or that the page was left or restored. */
  setOpen(isOpen: boolean): void {
    this.#isOpen = isOpen;
    if (!isOpen) this.#leave();
    this.#publish();
  }

  /**
   * Resolves to the correction or the draft of this tab once its page owns them, or to undefined where something was
   * submitted meanwhile.
   */
  async restore(): Promise<FormValues | undefined> {
    const { drafts } = this.#deps;
    // They are read first, because what is typed meanwhile overwrites them.
    const [correction, draft] = [drafts.read("correction"), drafts.read("draft")];
    const isOwn = await this.#deps.claimTab();
    await this.#deps.outbox.refresh();
    if (this.#version || this.#isSending) return undefined;
    if (!isOwn) return {};
    const record = this.#deps.outbox.find(correction?.corrects ?? "");
    if (correction && record?.state === "rejected") {
      this.#version = { id: record.id, values: record.values, at: record.at };
      this.#publish();
      return correction.values;
    }
    drafts.remove("correction");
    // The draft may have been submitted right before its page ended.
    return draft && !this.wasSubmitted(draft.values) ? draft.values : {};
  }

  /** True for values that this tab submitted before: a browser may have filled them in again. */
  wasSubmitted(values: FormValues): boolean {
    const isQueued = this.#deps.outbox
      .records()
      .some((record) => record.state === "queued" && sameValues(record.values, values));
    return isQueued || this.#deps.drafts.wasSubmitted(values);
  }

  /** Reports that the browser itself is sending the form, and is about to replace the page. */
  setSendingByBrowser(isSending: boolean): void {
    this.#isSending = isSending;
    this.#publish();
  }

  get #record(): DeviceRecord | undefined {
    return this.#version && this.#deps.outbox.find(this.#version.id);
  }

  get #rejectedId(): string | undefined {
    const record = this.#record;
    return record?.state === "rejected" ? record.id : undefined;
  }

  get #isChanged(): boolean {
    return this.#version !== undefined && !sameValues(this.#values, this.#version.values);
  }

  /** The record to submit, and the id of the one that it replaces. The same values keep their key. */
  #newVersion(values: FormValues): [record: Queued, replaced: string | undefined] {
    const [former, record] = [this.#version, this.#record];
    const isSame = former && record?.state !== "rejected" && sameValues(values, former.values);
    const id = isSame ? former.id : randomId();
    const isReplaced = !isSame && (record?.state === "queued" || record?.state === "rejected");
    const now = Date.now();
    this.#version = { id, values, at: now };
    this.#values = values;
    const submission = { id, form: this.form, tab: this.#deps.drafts.tabId, values };
    return [queuedRecord(submission, now), isReplaced ? former?.id : undefined];
  }

  #endDraft(kind: DraftKind, values: FormValues): void {
    this.#deps.drafts.remove(kind);
    this.#deps.drafts.rememberSubmitted(values);
  }

  /** Submits changed valid values. With invalid ones, the version that was submitted is sent. */
  #leave(): void {
    this.#unlock();
    if (this.#record?.state !== "queued" || this.#isSending) return;
    if (this.#isChanged && this.#isValid) void this.#replaceQueued();
    this.#deps.sender.schedule(0);
  }

  /** Replaces the queued version, which stays if the new one cannot be stored. */
  async #replaceQueued(): Promise<void> {
    const { outbox, drafts } = this.#deps;
    const former = this.#version;
    const [record, replaced] = this.#newVersion(this.#values);
    if (await outbox.submit(record, replaced)) return drafts.rememberSubmitted(record.values);
    if (this.#isSending || this.#version?.id !== record.id) return;
    this.#version = former;
    await outbox.apply(record.id, { type: "removed" });
  }

  /** Locks the queued version while it is edited, hides its notice on this page, and notifies React. */
  #publish(): void {
    const record = this.#record;
    const isEdited = this.#isOpen && this.#isChanged && record?.state === "queued";
    if (!isEdited || this.#isSending) this.#unlock();
    else this.#lock(record.id);
    this.#deps.holdTab();
    const isShown = this.#isOpen && record?.state !== "expired";
    this.#deps.outbox.setShownByForm(this, isShown ? record?.id : undefined);
  }

  #lock(id: string): void {
    const lock = this.#editing?.lock ?? this.#deps.requestLock(editingLock(id));
    // The notices of other pages stop promising that it is sent automatically.
    if (!this.#editing) void lock.granted.then(() => this.#deps.outbox.notifyOtherPages());
    else clearTimeout(this.#editing.timer);
    this.#editing = { lock, timer: setTimeout(() => this.#leave(), EDITING_LIMIT_MS) };
  }

  #unlock(): void {
    if (!this.#editing) return;
    clearTimeout(this.#editing.timer);
    this.#editing.lock.release();
    this.#editing = undefined;
    this.#deps.outbox.notifyOtherPages();
  }
}
