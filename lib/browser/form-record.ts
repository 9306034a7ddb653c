/** State of one form on one page: the fields, the submission, and its result. */

import type { FormName } from "#lib/application/fields.ts";
import type { Receipt, RefusalDetails } from "#lib/application/response-body.ts";
import { type FormValues, fillEmpty, formValues, sameValues } from "#lib/browser/form-values.ts";
import { hold } from "#lib/browser/holds.ts";
import { newKey, thisTab } from "#lib/browser/names.ts";
import { type Kept, next, pressed } from "#lib/browser/record.ts";
import { press, type SubmitResult, schedule } from "#lib/browser/sender.ts";
import { begunIn, find, records, refresh, showHere, write } from "#lib/browser/store.ts";

export class FormRecord {
  readonly form: FormName;
  /** Name of the form, for all records that it writes. */
  readonly name = newKey();
  /** Values of the last press. */
  pressed: FormValues | undefined;
  /** SubmitResult of the press. The form is busy until then. */
  result: SubmitResult | undefined;
  #values: FormValues | undefined;
  /** The visitor is at the form, or reads what became of it. */
  #isOpen = true;
  #id = this.name;
  #release: (() => void) | undefined;

  constructor(form: FormName) {
    this.form = form;
  }

  get record(): Kept | undefined {
    return find(this.#id);
  }

  get isBusy(): boolean {
    return this.pressed !== undefined && this.result === undefined;
  }

  /** For the press, or for whoever has sent what it kept. */
  get receipt(): Receipt | undefined {
    const { result, record } = this;
    if (result?.kind === "received") return result.receipt;
    return record?.state === "received" ? record.receipt : undefined;
  }

  /**
   * End of this record: an empty form follows, and `told` also shows the result at the form. A kept application stays
   * in the dialog until it is received. A notice shows one that was sent after the dialog had been closed.
   */
  get end(): "told" | "quiet" | undefined {
    const { form, result, record } = this;
    if (this.isBusy) return undefined;
    if (result?.kind === "received") return "told";
    if (result?.kind !== "kept") return undefined;
    if (form === "contact") return "told";
    if (!this.#isOpen) return record?.state === "waiting" ? undefined : "quiet";
    // An earlier version was received while the visitor was editing. The form now holds a new application.
    return record?.state === "received" && !this.#isChanged ? "told" : undefined;
  }

  /** `valid` is the result of the browser's own checks. */
  typed(values: FormValues, valid: boolean): void {
    const writing = this.#writing(values);
    void write(writing.id, next(this.record, { type: "typed", ...writing, valid }));
    this.#stand();
  }

  /** Writes before the first `await` survive the end of the tab. */
  async press(values: FormValues): Promise<SubmitResult> {
    try {
      const writing = this.#writing(values);
      this.pressed = values;
      this.result = undefined;
      this.#stand();
      this.result = await press(pressed(this.record, { type: "pressed", ...writing }));
    } catch {
      // A browser that breaks its own rules: the visitor hears that nobody has the application.
      this.result = { kind: "unkept" };
    }
    this.#stand();
    return this.result;
  }

  /** `isOpen`: the visitor is at the form. A record of a closed form gets notices and sends like any other. */
  at(isOpen: boolean): void {
    const { record } = this;
    const wasHeld = this.#release !== undefined;
    // A closed form sends the values of its record.
    if (!isOpen && record?.state === "waiting") this.pressed = record.values;
    this.#stand(isOpen);
    if (wasHeld && !isOpen) schedule(0);
  }

  /**
   * Puts what was begun in this tab into the form; resolves to the refusal that it corrects. What was pressed, and
   * filled in again by the browser, goes out of it.
   */
  async restore(form: HTMLFormElement): Promise<RefusalDetails | undefined> {
    await refresh();
    if (this.pressed) return undefined;
    const begun = begunIn(thisTab());
    if (begun?.state === "refused" || isWaiting(formValues(form))) form.reset();
    if (begun) {
      if (this.#id !== begun.id) void write(this.#id);
      this.#id = begun.id;
      fillEmpty(form, begun.values);
    }
    form.dispatchEvent(new Event("input", { bubbles: true }));
    return begun?.state === "refused" ? begun.refusal : undefined;
  }

  /** The form differs from what was pressed: nobody sends that. */
  get #isChanged(): boolean {
    const { pressed } = this;
    return pressed !== undefined && !sameValues(this.#values ?? pressed, pressed);
  }

  /** Marks the record as shown here, so that no notice repeats it, and holds it while it is changed. */
  #stand(isOpen = this.#isOpen): void {
    this.#isOpen = isOpen;
    if (isOpen && this.#isChanged) this.#release ??= hold(this.#id);
    else {
      this.#release?.();
      this.#release = undefined;
    }
    const isShown = this.pressed !== undefined || this.record?.state === "refused";
    showHere(this, isOpen && isShown ? this.#id : undefined);
  }

  #writing(values: FormValues) {
    this.#values = values;
    return { id: this.#id, form: this.form, tab: thisTab(), values, now: Date.now() };
  }
}

function isWaiting(values: FormValues): boolean {
  return records().some((each) => each.state === "waiting" && sameValues(each.values, values));
}
