import { type FormValues, formValues } from "#lib/browser/form-values.ts";

/** Must be called while React renders, because hydration may replace the form's elements and lose what was typed. */
export function valuesBeforeHydration(action: string): FormValues {
  if (typeof document === "undefined") return {};
  const form = document.querySelector<HTMLFormElement>(
    `form[action="${action}"]:not([data-ready])`,
  );
  return form ? formValues(form) : {};
}

/** True once, if the visitor typed before the scripts loaded. Text that the browser restores does not count. */
export function consumeTypedFlag(): boolean {
  const { dataset } = document.documentElement;
  const hasTyped = dataset.typed !== undefined;
  delete dataset.typed;
  return hasTyped;
}

/** Reports the start and the end of a submission that the browser itself made before the scripts loaded. */
export function watchBrowserSubmit(onChange: (isSending: boolean) => void): void {
  const { dataset } = document.documentElement;
  if (dataset.submitted === undefined) return;
  delete dataset.submitted;
  // The form stays `sending` however long the server takes. The first submission has no idempotency key, so the server
  // would store a second one as another application.
  onChange(true);
  addEventListener("pageshow", ({ persisted }) => persisted && onChange(false));
}
