import { type FormValues, formValues } from "#lib/browser/form-values.ts";

/** Must be called while React renders: hydration may replace the form's elements, with all that was typed. */
export function valuesBeforeHydration(action: string): FormValues {
  if (typeof document === "undefined") return {};
  const form = document.querySelector<HTMLFormElement>(
    `form[action="${action}"]:not([data-ready])`,
  );
  return form ? formValues(form) : {};
}

/** True once, if the visitor typed something before the scripts loaded. What the browser restores is not typed. */
export function consumeTypedFlag(): boolean {
  const { dataset } = document.documentElement;
  const hasTyped = dataset.typed !== undefined;
  delete dataset.typed;
  return hasTyped;
}

/** Reports the begin and the end of a submission that the browser itself made before the scripts loaded. */
export function watchBrowserSubmit(onChange: (isSending: boolean) => void): void {
  const { dataset } = document.documentElement;
  if (dataset.submitted === undefined) return;
  delete dataset.submitted;
  // However long the server takes: a second submission of the page would have a key, and the first has none.
  onChange(true);
  addEventListener("pageshow", ({ persisted }) => persisted && onChange(false));
}
