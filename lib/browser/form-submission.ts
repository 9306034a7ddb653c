import type { FormName } from "#lib/application/fields.ts";
import { drafts } from "#lib/browser/drafts.ts";
import { findErrors, hasErrors } from "#lib/browser/form-errors.ts";
import { type FormFacts, type FormState, formState } from "#lib/browser/form-state.ts";
import { areSameValues, type FormValues } from "#lib/browser/form-values.ts";
import { outbox } from "#lib/browser/outbox.ts";
import { randomId } from "#lib/browser/random-id.ts";
import { createQueued, type DeviceRecord, type Queued } from "#lib/browser/record.ts";
import { sender } from "#lib/browser/sender.ts";

/** A form without input for this long counts as abandoned, and its application is sent. */
const EDITING_LIMIT_MS = 10 * 60 * 1_000;

const BROWSER_DEPS = { outbox, sender, drafts };

/** One form on one page: its values, its submission, and the result. */
export class FormSubmission {
  /** React's `key` of the form, so that the next submission begins with empty fields. */
  readonly reactKey = randomId();
  readonly #deps: typeof BROWSER_DEPS;
  readonly #facts: FormFacts;
  #editing: { unlock: () => void; timer: ReturnType<typeof setTimeout> } | undefined;
  #snapshot: FormState | undefined;

  constructor(form: FormName, deps = BROWSER_DEPS) {
    this.#deps = deps;
    this.#facts = { form, values: {}, isSending: false, isOpen: true };
  }

  readonly subscribe = (listener: () => void) => this.#deps.outbox.subscribe(listener);

  /** React does not render again while the state is the same object. */
  readonly getSnapshot = (): FormState => {
    const state = this.#state;
    if (JSON.stringify(state) !== JSON.stringify(this.#snapshot)) this.#snapshot = state;
    return this.#snapshot ?? state;
  };

  edit(values: FormValues): void {
    if (this.#facts.isSending) return;
    // Changes to a queued version become no draft: `#leave` submits them, or the queued version goes out.
    if (this.#record?.state !== "queued") this.#deps.drafts.save(values, this.#rejectedId);
    this.#publish({ values });
  }

  /** Commits the values before its first `await`, then sends them. A call during a submission has no effect. */
  async submit(values: FormValues): Promise<FormState> {
    if (this.#facts.isSending) return this.getSnapshot();
    this.#facts.isSending = true;
    try {
      const { drafts, sender } = this.#deps;
      const kind = this.#rejectedId ? "correction" : "draft";
      const [record, replaced] = this.#newVersion(values);
      const { stored, outcome } = sender.submit(record, replaced);
      this.#publish();
      const isStored = await stored;
      if (isStored) this.#endDraft(kind, values);
      const result = await outcome;
      this.#facts.failure = result.kind === "later" ? { ...result, isStored } : undefined;
      if (result.kind === "received") this.#endDraft(kind, values);
      if (result.kind === "rejected") drafts.save(values, isStored ? record.id : undefined);
    } catch {
      // This version has no record, so that the form shows `not-queued`.
      this.#facts.version = { id: randomId(), values, at: 0 };
      this.#facts.failure = { isStored: false };
    }
    this.#publish({ isSending: false });
    return this.getSnapshot();
  }

  /** Called when the dialog opens or closes, and when the visitor leaves the page or returns to it. */
  setOpen(isOpen: boolean): void {
    this.#facts.isOpen = isOpen;
    if (!isOpen) this.#leave();
    this.#publish();
  }

  /** Resolves to this tab's correction or draft, or to undefined if something was submitted meanwhile. */
  async restore(): Promise<FormValues | undefined> {
    const { drafts, outbox } = this.#deps;
    // Correction and draft are read before the first `await`, because typing overwrites them.
    const [correction, draft] = [drafts.read("correction"), drafts.read("draft")];
    const isOriginalTab = await drafts.claim();
    await outbox.refresh();
    if (this.#facts.version || this.#facts.isSending) return undefined;
    if (!isOriginalTab) return {};
    const record = outbox.find(correction?.corrects ?? "");
    if (correction && record?.state === "rejected") {
      this.#publish({ version: record });
      return correction.values;
    }
    drafts.remove("correction");
    // The page may have ended after a submission, before its draft was removed.
    return draft && !this.wasSubmitted(draft.values) ? draft.values : {};
  }

  wasSubmitted(values: FormValues): boolean {
    const isQueued = this.#deps.outbox
      .records()
      .some((record) => record.state === "queued" && areSameValues(record.values, values));
    return isQueued || this.#deps.drafts.wasSubmitted(values);
  }

  /** Called while the browser itself sends the form, because the visitor submitted it before hydration. */
  readonly setSendingByBrowser = (isSending: boolean): void => this.#publish({ isSending });

  get #record(): DeviceRecord | undefined {
    return this.#facts.version && this.#deps.outbox.find(this.#facts.version.id);
  }

  get #state(): FormState {
    return formState(this.#facts, this.#record);
  }

  get #rejectedId(): string | undefined {
    return this.#record?.state === "rejected" ? this.#record.id : undefined;
  }

  #newVersion(values: FormValues): [record: Queued, replaced: DeviceRecord | undefined] {
    const { form, version: former } = this.#facts;
    const record = this.#record;
    const isSame = former && !this.#rejectedId && areSameValues(values, former.values);
    const id = isSame ? former.id : randomId();
    const version = createQueued({ id, form, tab: this.#deps.drafts.tabId, values }, Date.now());
    Object.assign(this.#facts, { version, values });
    return [version, !isSame && record && "values" in record ? record : undefined];
  }

  #endDraft(kind: "draft" | "correction", values: FormValues): void {
    this.#deps.drafts.remove(kind);
    this.#deps.drafts.rememberSubmitted(values);
  }

  /** Sends the changed values if they are valid, otherwise the version that was submitted last. */
  #leave(): void {
    this.#unlock();
    const { form, status, isChanged } = this.#state;
    if (status !== "queued") return;
    if (isChanged && !hasErrors(findErrors(form, this.#facts.values))) void this.#replaceQueued();
    this.#deps.sender.schedule(0);
  }

  /** The queued version stays if the changed values cannot be stored. */
  async #replaceQueued(): Promise<void> {
    const { outbox, drafts } = this.#deps;
    const { version: former, values } = this.#facts;
    const [record, replaced] = this.#newVersion(values);
    if (await outbox.submit(record, replaced)) return drafts.rememberSubmitted(values);
    if (this.#facts.isSending || this.#facts.version?.id !== record.id) return;
    this.#facts.version = former;
    await outbox.apply(record.id, { type: "removed" });
  }

  /** Locks the queued version while it is edited, hides its notice on this page, and notifies React. */
  #publish(changes: Partial<FormFacts> = {}): void {
    Object.assign(this.#facts, changes);
    const record = this.#record;
    const { status, isChanged } = this.#state;
    const { isOpen } = this.#facts;
    if (record && isOpen && isChanged && status === "queued") this.#lock(record.id);
    else this.#unlock();
    const isShown = isOpen && record?.state !== "expired";
    this.#deps.outbox.setShownByForm(this, isShown ? record?.id : undefined);
  }

  #lock(id: string): void {
    clearTimeout(this.#editing?.timer);
    const unlock = this.#editing?.unlock ?? this.#deps.sender.lockForEditing(id);
    this.#editing = { unlock, timer: setTimeout(() => this.#leave(), EDITING_LIMIT_MS) };
  }

  #unlock(): void {
    clearTimeout(this.#editing?.timer);
    this.#editing?.unlock();
    this.#editing = undefined;
  }
}
