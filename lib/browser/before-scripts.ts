import { type FormValues, formValues } from "#lib/browser/form-values.ts";
import { SEND_TIMEOUT_MS } from "#lib/browser/send.ts";

/** Called while React renders, because React may replace the form's elements. `data-ready` marks a hydrated form. */
export function valuesBeforeHydration(action: string): FormValues {
  if (typeof document === "undefined") return {};
  const form = document.querySelector<HTMLFormElement>(
    `form[action="${action}"]:not([data-ready])`,
  );
  return form ? formValues(form) : {};
}

/**
 * Calls `onChange` with true if the browser itself has submitted the form before the scripts loaded
 * (server/defer-scripts.ts marks the page then), and with false when that submission has failed or Back has restored
 * the page.
 */
export function watchBrowserSubmit(onChange: (isSending: boolean) => void): void {
  const { dataset } = document.documentElement;
  if (dataset.submitted === undefined) return;
  delete dataset.submitted;
  onChange(true);
  const onEnd = () => onChange(false);
  setTimeout(onEnd, SEND_TIMEOUT_MS);
  addEventListener("pageshow", ({ persisted }) => persisted && onEnd());
}
