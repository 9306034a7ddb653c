import type { FormName } from "#lib/application/fields.ts";
import type { Receipt } from "#lib/application/response-body.ts";
import { type Draft, readDraft, writeDraft } from "#lib/browser/draft.ts";
import {
  type Failure,
  isKept,
  type SendOutcome,
  type SubmittedApplication,
} from "#lib/browser/entry.ts";
import { areSameValues, type FormValues } from "#lib/browser/form-values.ts";
import { outbox } from "#lib/browser/outbox.ts";
import { randomId } from "#lib/browser/random-id.ts";

/**
 * The visitor can type only while `editing`. `application` is what was submitted or taken back last; it is missing
 * at first, after `reset`, and while the browser itself sends the form.
 */
export type SubmissionState =
  /**
   * `failure`: why the last submission has left no application on the device. `isReceived`: an earlier request has
   * brought the server `application`, which the visitor has taken back.
   */
  | {
      status: "editing";
      application?: SubmittedApplication | undefined;
      failure?: Failure | undefined;
      isReceived?: true;
    }
  | { status: "sending"; application?: SubmittedApplication | undefined }
  /** The device sends the application as it was submitted, until the visitor takes it back. */
  | { status: "kept"; application: SubmittedApplication; failure: Failure }
  | { status: "received"; application: SubmittedApplication; receipt: Receipt };

/** `round` is React's `key` of the form: after a receipt or a kept application, the next form has empty fields. */
export type FormState = SubmissionState & { round: number };

const UNKNOWN_FAILURE: Failure = { kind: "later", errorText: undefined, reason: undefined };

const BROWSER_DEPS = { outbox, readDraft, writeDraft };

/** One form on one page: its submission and the result. */
export class FormSubmission {
  readonly form: FormName;
  readonly #deps: typeof BROWSER_DEPS;
  readonly #listeners = new Set<() => void>();
  #state: FormState = { status: "editing", round: 0 };
  #isBusy = false;
  /** The draft as this form last read or wrote it. */
  #draft: ReturnType<typeof readDraft>;

  constructor(form: FormName, deps = BROWSER_DEPS) {
    this.form = form;
    this.#deps = deps;
  }

  readonly getSnapshot = (): FormState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    const unsubscribe = this.#deps.outbox.subscribe(() => this.#followOutbox());
    return () => {
      unsubscribe();
      this.#listeners.delete(listener);
    };
  };

  writeTyped(values: FormValues): void {
    const isUntouched = this.#deps.readDraft() === "submitted" && areSameValues(values, {});
    if (this.#state.status !== "editing" || isUntouched) return;
    this.#writeDraft({ values, id: this.#findKey(values) });
  }

  /** Begins to write the values to the disk before it returns. */
  readonly submit = (values: FormValues): Promise<FormState> =>
    this.#doAlone(async () => {
      const { outbox } = this.#deps;
      const id = this.#findKey(values) ?? randomId();
      const application: SubmittedApplication = { id, form: this.form, values, at: Date.now() };
      try {
        const stored = outbox.keep(application);
        this.#writeDraft({ values, id });
        this.#show({ status: "sending", application });
        const isStored = await stored;
        if (isStored) this.#writeDraft("submitted");
        return await this.#finish(application, await outbox.send(application), isStored);
      } catch {
        return { status: "editing", application, failure: UNKNOWN_FAILURE };
      }
    });

  /** Sends the kept application once more. */
  readonly retry = (): Promise<FormState> =>
    this.#doAlone(async () => {
      const { application } = this.#state;
      if (!application) return this.#state;
      this.#show({ status: "sending", application });
      return this.#finish(application, await this.#deps.outbox.send(application), true);
    });

  /** Makes the kept application a draft, which is sent only when the visitor submits it again. */
  readonly takeBack = (): Promise<FormState> =>
    this.#doAlone(async () => {
      const { application } = this.#state;
      const taken = application && (await this.#takeFromOutbox(application.id));
      return taken ? { status: "editing", application: taken } : this.#state;
    });

  /**
   * Resolves to what a new form begins with: the kept application `id`, or this tab's draft; undefined: the form stays
   * as it is. `submitted`: the form begins empty, without the text that the browser has restored.
   */
  async restore(id: string | null): Promise<FormValues | "submitted" | undefined> {
    if (id !== null) {
      await this.#doAlone(async () => {
        const taken = await this.#takeFromOutbox(id);
        if (!taken) return this.#state;
        const refusal = taken.refusal && ({ kind: "refused", refusal: taken.refusal } as const);
        return { status: "editing", application: taken, failure: refusal };
      });
    }
    const draft = this.#deps.readDraft();
    this.#draft = draft;
    const { status, application } = this.#state;
    // A session storage that is missing or full has no draft of what was taken back.
    if (status === "editing" && application) return application.values;
    if (draft === "submitted") return draft;
    if (status !== "editing" || !draft) return undefined;
    const { values, id: key } = draft;
    // A draft with a key may have reached the server, so the same values must repeat the key.
    if (key !== undefined)
      this.#show({ status: "editing", application: { id: key, form: this.form, values, at: 0 } });
    return values;
  }

  /** Begins a new application. The notice boxes then show the result of the last one. */
  readonly reset = (): void => {
    if (this.#state.status !== "received") this.#startRound();
    this.#show({ status: "editing" });
  };

  /** Called when Back shows this page as it was left. Another page may have changed or submitted the draft since. */
  readonly resume = (): void => {
    void this.#deps.outbox.refresh();
    const draft = this.#deps.readDraft();
    const hasDraftChanged =
      draft !== undefined && JSON.stringify(draft) !== JSON.stringify(this.#draft);
    if (this.#state.status === "editing" && hasDraftChanged) this.reset();
  };

  /** Called while the browser itself sends the form, because the visitor submitted it before hydration. */
  readonly setSendingByBrowser = (isSending: boolean): void =>
    this.#show({ status: isSending ? "sending" : "editing" });

  /** The same values repeat the key, because they may already have reached the server with it. */
  #findKey(values: FormValues): string | undefined {
    if (this.#state.status !== "editing") return undefined;
    const { application, failure } = this.#state;
    if (!application || failure?.kind === "refused") return undefined;
    return areSameValues(values, application.values) ? application.id : undefined;
  }

  async #finish(
    application: SubmittedApplication,
    outcome: SendOutcome,
    isStored: boolean,
  ): Promise<SubmissionState> {
    if (outcome.kind === "received") {
      this.#writeDraft("submitted");
      return { status: "received", application, receipt: outcome.receipt };
    }
    if (outcome.kind === "later" && isStored)
      return { status: "kept", application, failure: outcome };
    const id = outcome.kind === "later" ? application.id : undefined;
    this.#writeDraft({ values: application.values, id });
    // The form will say that nothing is kept, so the disk must not have the application either.
    await this.#deps.outbox.takeBack(application.id);
    return { status: "editing", application, failure: outcome };
  }

  async #takeFromOutbox(id: string): Promise<SubmittedApplication | undefined> {
    const taken = await this.#deps.outbox.takeBack(id);
    if (taken) this.#writeDraft({ values: taken.values, id: taken.refusal ? undefined : id });
    return taken;
  }

  #writeDraft(draft: Draft | "submitted"): void {
    this.#draft = draft;
    this.#deps.writeDraft(draft);
  }

  /** Another page, the service worker or a timer may have changed the application that this form shows. */
  #followOutbox(): void {
    const state = this.#state;
    const { application } = state;
    if (!application || this.#isBusy) return;
    const entry = this.#deps.outbox.find(application.id);
    if (state.status === "editing") {
      if (entry && !isKept(entry) && !state.isReceived) this.#show({ ...state, isReceived: true });
      return;
    }
    if (state.status !== "kept") return;
    if (!entry) this.reset();
    else if (!isKept(entry))
      this.#show({ status: "received", application, receipt: entry.receipt });
    // A hidden tab reads the disk again when it is shown, and until then the notice boxes of other tabs have it.
    else if (entry.refusal && !globalThis.document?.hidden) {
      const refused = { kind: "refused", refusal: entry.refusal } as const;
      void this.#doAlone(() => this.#finish(application, refused, true));
    }
  }

  /** A call while the form is busy has no effect. */
  async #doAlone(work: () => Promise<SubmissionState>): Promise<FormState> {
    if (this.#isBusy) return this.#state;
    this.#isBusy = true;
    const next = await work().finally(() => {
      this.#isBusy = false;
    });
    this.#show(next);
    this.#followOutbox();
    return this.#state;
  }

  #startRound(): void {
    this.#state = { ...this.#state, round: this.#state.round + 1 };
  }

  #show(next: SubmissionState): void {
    if (next.status === "received" && this.#state.status !== "received") this.#startRound();
    this.#state = { ...next, round: this.#state.round };
    const { status, application } = { application: undefined, ...next };
    this.#deps.outbox.setShownByForm(status === "editing" ? undefined : application?.id);
    for (const listener of this.#listeners) listener();
  }
}
