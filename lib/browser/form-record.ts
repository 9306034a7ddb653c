/** The record that a form writes, from the first character to the answer. */
import type { FormName } from "#lib/application/fields.ts";
import { prepare } from "#lib/browser/database.ts";
import {
  type FormValues,
  fillEmpty,
  formValues,
  isEmpty,
  sameValues,
} from "#lib/browser/form-values.ts";
import { newKey, thisTab } from "#lib/browser/names.ts";
import { HOLD_MS, isEnded, type Kept, next, pressed, type Waiting } from "#lib/browser/record.ts";
import { press, type Result, schedule } from "#lib/browser/sender.ts";
import {
  draftOf,
  find,
  hideHere,
  put,
  records,
  refresh,
  remove,
  showHere,
} from "#lib/browser/store.ts";

export class FormRecord {
  readonly #form: FormName;
  #id: string | undefined;
  #pressed: FormValues | undefined;
  #corrects: string | undefined;
  #holding: ReturnType<typeof setInterval> | undefined;

  /** `correction`: what the server refused, in the form already. */
  constructor(form: FormName, correction?: Kept) {
    this.#form = form;
    this.#id = correction?.id;
  }

  get record(): Kept | undefined {
    return this.#id === undefined ? undefined : find(this.#id);
  }

  /** The form differs from what was pressed: nobody sends it. */
  get isHolding(): boolean {
    return this.#holding !== undefined;
  }

  /** What the form holds now; `valid` by the checks of the browser. */
  typed(values: FormValues, valid: boolean): void {
    prepare();
    const writing = this.#writing(values);
    const differs = this.#pressed !== undefined && !sameValues(values, this.#pressed);
    const record = next(this.record, { type: "typed", ...writing, valid, differs });
    if (record) void put(record);
    else void remove(writing.id);
    this.#hold(differs ? () => this.typed(values, valid) : undefined);
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
      this.#hold(undefined);
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
    if (this.#id === undefined) return;
    hideHere(this.#id);
    if (!this.isHolding) return;
    this.#hold(undefined);
    const left = next(this.record, { type: "left", tab: thisTab() });
    if (left) void put(left);
    schedule(0);
  }

  /** The visitor is at the form again. */
  reopen(values: FormValues, valid: boolean): void {
    if (this.#id === undefined || !this.#pressed) return;
    showHere(this.#id);
    if (!sameValues(values, this.#pressed)) this.typed(values, valid);
  }

  /** Puts the draft of this tab into the form. What was pressed, and filled in again by the browser, goes out of it. */
  async restore(form: HTMLFormElement): Promise<void> {
    await refresh();
    if (this.#pressed) return;
    const values = formValues(form);
    const draft = draftOf(this.#form, thisTab());
    if (!draft) {
      if (!isEmpty(values) && this.#waitingAs(values)) form.reset();
      return;
    }
    if (this.#id !== undefined && this.#id !== draft.id) void remove(this.#id);
    this.#id = draft.id;
    fillEmpty(form, draft.values);
    form.dispatchEvent(new Event("input", { bubbles: true }));
  }

  #waitingAs(values: FormValues): Waiting | undefined {
    for (const record of records()) {
      const isSame = record.state === "waiting" && record.form === this.#form;
      if (isSame && sameValues(record.values, values)) return record;
    }
    return undefined;
  }

  #writing(values: FormValues) {
    const before = this.record;
    if (before && isEnded(before)) {
      // What is written now is another application, which corrects that one.
      hideHere(before.id);
      this.#id = undefined;
      this.#pressed = undefined;
      this.#corrects = before.key;
    }
    this.#id ??= newKey();
    const [id, form, tab, corrects] = [this.#id, this.#form, thisTab(), this.#corrects];
    return { id, form, tab, values, corrects, fresh: newKey(), now: Date.now() };
  }

  /** Renewed while the page lives; without `renew` the hold ends. */
  #hold(renew: (() => void) | undefined): void {
    clearInterval(this.#holding);
    this.#holding = renew && setInterval(renew, HOLD_MS / 3);
  }
}

/** What was typed in one form goes on in another one, where it is the draft of this tab. */
export function moveDraft(values: FormValues, from: FormName, to: FormName): void {
  new FormRecord(to, draftOf(to, thisTab())).typed(values, false);
  const moved = draftOf(from, thisTab());
  if (moved) void remove(moved.id);
}
