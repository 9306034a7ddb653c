/** The record that a form writes, from the first character to the end that the visitor is told of. */

import type { FormName } from "#lib/application/fields.ts";
import type { Receipt, RefusalDetails } from "#lib/application/response-body.ts";
import { type FormValues, fillEmpty, formValues, sameValues } from "#lib/browser/form-values.ts";
import { hold } from "#lib/browser/holds.ts";
import { newKey, thisTab } from "#lib/browser/names.ts";
import { type Kept, next, pressed } from "#lib/browser/record.ts";
import { press, type Result, schedule } from "#lib/browser/sender.ts";
import { begunIn, find, records, refresh, showHere, write } from "#lib/browser/store.ts";

export class FormRecord {
  readonly form: FormName;
  /** Of the form, whichever records it writes. */
  readonly name = newKey();
  /** What was pressed last. */
  pressed: FormValues | undefined;
  /** What the press has come to; until then the form is busy. */
  result: Result | undefined;
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
   * Whether the form gives way to an empty one, and the visitor is told of this one in its place. In the dialog what
   * was kept stays until it is received; what was sent after the dialog had been closed, a notice tells.
   */
  get end(): "told" | "quiet" | undefined {
    const { form, result, record } = this;
    if (this.isBusy) return undefined;
    if (result?.kind === "received") return "told";
    if (result?.kind !== "kept") return undefined;
    if (form === "contact") return "told";
    if (!this.#isOpen) return record?.state === "waiting" ? undefined : "quiet";
    // Sent while it was being changed: what stands in the form now is another application.
    return record?.state === "received" && !this.#isChanged ? "told" : undefined;
  }

  /** What the form holds now; `valid` by the checks of the browser. */
  typed(values: FormValues, valid: boolean): void {
    const writing = this.#writing(values);
    void write(writing.id, next(this.record, { type: "typed", ...writing, valid }));
    this.#stand();
  }

  /** What it writes before its first `await` survives the end of the tab. */
  async press(values: FormValues): Promise<Result> {
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

  /** Whether the visitor is there. A record that was left is told and sent like any other. */
  at(isOpen: boolean): void {
    const { record } = this;
    const wasHeld = this.#release !== undefined;
    // What is left goes out as its record has it.
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

  /** What its record is to the rest: shown here, so that no notice tells of it, and held while it is changed. */
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
