/** The record that a form writes, from the first character to the answer. */
import type { FormName } from "#lib/application/fields.ts";
import { type FormValues, fillEmpty, formValues, sameValues } from "#lib/browser/form-values.ts";
import { hold } from "#lib/browser/holds.ts";
import { newKey, thisTab } from "#lib/browser/names.ts";
import { isEnded, type Kept, next, pressed } from "#lib/browser/record.ts";
import { press, type Result, schedule } from "#lib/browser/sender.ts";
import { draftOf, find, hideHere, records, refresh, showHere, write } from "#lib/browser/store.ts";

/** What a press has come to, with what was pressed. */
export interface Submitted {
  result: Result;
  values: FormValues;
}

export class FormRecord {
  readonly #form: FormName;
  #id: string;
  #pressed: FormValues | undefined;
  #corrects: string | undefined;
  /** The form differs from what was pressed: nobody sends it. */
  #release: (() => void) | undefined;

  /** `correction`: what the server refused, in the form already. */
  constructor(form: FormName, correction?: Kept) {
    this.#form = form;
    this.#id = correction?.id ?? newKey();
  }

  get record(): Kept | undefined {
    return find(this.#id);
  }

  get isHolding(): boolean {
    return this.#release !== undefined;
  }

  /** What the form holds now; `valid` by the checks of the browser. */
  typed(values: FormValues, valid: boolean): void {
    const writing = this.#writing(values);
    void write(writing.id, next(this.record, { type: "typed", ...writing, valid }));
    if (!this.#pressed || sameValues(values, this.#pressed)) this.#letGo();
    else this.#release ??= hold(writing.id);
  }

  /** What it writes before its first `await` survives the end of the tab. */
  async press(values: FormValues): Promise<Result> {
    try {
      const same = this.#pressed ? undefined : this.#waitingAs(values);
      // A browser that fills its fields in again after a reload brings back what waits already.
      if (same) this.#id = same.id;
      const writing = this.#writing(values);
      const before = this.record;
      this.#pressed = values;
      this.#letGo();
      showHere(writing.id);
      const wasKept = before?.state === "waiting" || before?.state === "refused";
      return await press(pressed(before, { type: "pressed", ...writing }), wasKept);
    } catch {
      // A browser that breaks its own rules: the visitor hears that nobody has the application.
      return { kind: "unkept", reason: undefined, errorText: undefined };
    }
  }

  /** The visitor has left the form: from now on its record is sent like any other. */
  leave(): void {
    hideHere(this.#id);
    if (!this.isHolding) return;
    this.#letGo();
    schedule(0);
  }

  /** The visitor is at the form again. */
  reopen(values: FormValues, valid: boolean): void {
    if (!this.#pressed) return;
    showHere(this.#id);
    if (!sameValues(values, this.#pressed)) this.typed(values, valid);
  }

  /** Puts the draft of this tab into the form. What was pressed, and filled in again by the browser, goes out of it. */
  async restore(form: HTMLFormElement): Promise<void> {
    await refresh();
    if (this.#pressed) return;
    const draft = draftOf(thisTab());
    if (draft) {
      if (this.#id !== draft.id) void write(this.#id);
      this.#id = draft.id;
      fillEmpty(form, draft.values);
    } else if (this.#waitingAs(formValues(form))) form.reset();
    form.dispatchEvent(new Event("input", { bubbles: true }));
  }

  #letGo(): void {
    this.#release?.();
    this.#release = undefined;
  }

  #waitingAs(values: FormValues): Kept | undefined {
    return records().find(
      (record) =>
        record.state === "waiting" &&
        record.form === this.#form &&
        sameValues(record.values, values),
    );
  }

  #writing(values: FormValues) {
    const before = this.record;
    if (before && isEnded(before)) {
      // What is written now is another application, which corrects that one.
      hideHere(before.id);
      this.#letGo();
      this.#id = newKey();
      this.#pressed = undefined;
      this.#corrects = before.key;
    }
    const [id, form, tab, corrects] = [this.#id, this.#form, thisTab(), this.#corrects];
    return { id, form, tab, values, corrects, now: Date.now() };
  }
}
