/** Handles what happens to a form before the scripts have loaded. */
import { type FormValues, formValues } from "#lib/browser/form-values.ts";
import { SEND_TIMEOUT_MS } from "#lib/browser/send.ts";

/**
 * Reads the values of the server-rendered form while React renders, because React may replace the elements. A form
 * with `data-ready` has a submission already.
 */
export function valuesBeforeHydration(action: string): FormValues {
  if (typeof document === "undefined") return {};
  const form = document.querySelector<HTMLFormElement>(
    `form[action="${action}"]:not([data-ready])`,
  );
  return form ? formValues(form) : {};
}

/**
 * True when the browser has sent the form itself, before the scripts have loaded (server/defer-scripts.ts marks it).
 * `onChange` is called then, and again when that has failed, or Back has restored the page.
 */
export function watchBrowserSubmit(onChange: (isSending: boolean) => void): boolean {
  const { dataset } = document.documentElement;
  if (dataset.submitted === undefined) return false;
  delete dataset.submitted;
  onChange(true);
  const onEnd = () => onChange(false);
  setTimeout(onEnd, SEND_TIMEOUT_MS);
  addEventListener("pageshow", ({ persisted }) => persisted && onEnd());
  return true;
}
