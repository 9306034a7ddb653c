"use client";

import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { FormProps } from "#components/application/form-body.tsx";
import { POST_PATHS } from "#lib/application/fields.ts";
import {
  hasTypedBeforeHydration,
  valuesBeforeHydration,
  watchBrowserSubmit,
} from "#lib/browser/before-scripts.ts";
import type { Failure } from "#lib/browser/entry.ts";
import {
  type ErrorMessages,
  findErrors,
  focusFirstError,
  hasErrors,
} from "#lib/browser/form-errors.ts";
import { changeValue, fillEmptyFields, formValues } from "#lib/browser/form-values.ts";
import { withWish } from "#lib/browser/message-wishes.ts";
import { parsePrefill } from "#lib/browser/prefill.ts";
import { EDIT_PARAMETER } from "#lib/content/links.ts";

/** What both forms do. They differ in their layout and in what they show after a submission. */
export function useApplicationForm({ submission, state }: FormProps) {
  const { form: name } = submission;
  const failure = "failure" in state ? state.failure : undefined;
  const [errors, setErrors] = useState<ErrorMessages>({});
  const [shownFailure, setShownFailure] = useState<Failure>();
  const [typedBefore] = useState(() => valuesBeforeHydration(POST_PATHS[name]));
  const form = useRef<HTMLFormElement>(null);
  const box = useRef<HTMLElement>(null);

  if (failure !== shownFailure) {
    setShownFailure(failure);
    setErrors(failure?.kind === "refused" ? failure.refusal.errors : {});
  }

  const fill = useEffectEvent(async (element: HTMLFormElement) => {
    // React renders empty fields again if a browser extension or a translation changed the page before hydration.
    fillEmptyFields(element, typedBefore);
    watchBrowserSubmit(submission.setSendingByBrowser);
    const isTyped = hasTypedBeforeHydration();
    const query = takePageQuery();
    const values = await submission.restore(new URLSearchParams(query).get(EDIT_PARAMETER));
    // What the browser has restored may be older than what this tab has stored.
    if (values !== undefined && !isTyped) element.reset();
    if (typeof values === "object") fillEmptyFields(element, values);
    element.dispatchEvent(new Event("input", { bubbles: true }));
    prefill(element, query);
  });
  useEffect(() => {
    if (form.current) void fill(form.current);
  }, []);

  const focusFailure = useEffectEvent((element: HTMLFormElement) => {
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: "nearest" });
    focusFirstError(element, errors);
  });
  useEffect(() => {
    if (failure && form.current) focusFailure(form.current);
  }, [failure]);

  function onInput({ target, currentTarget: element }: FormEvent<HTMLFormElement>) {
    const changed = String(Reflect.get(target, "name"));
    const values = formValues(element);
    setErrors((shown) =>
      shown[changed] ? { ...shown, [changed]: findErrors(name, values)[changed] } : shown,
    );
    submission.edit(values);
  }

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const element = event.currentTarget;
    const { status } = submission.getSnapshot();
    if (status === "kept") void submission.retry();
    else if (status === "editing") {
      const values = formValues(element);
      const wrong = findErrors(name, values);
      if (hasErrors(wrong)) {
        flushSync(() => setErrors(wrong));
        focusFirstError(element, wrong);
        return;
      }
      // The submission starts before anything is rendered, because the page may be closed at any moment.
      void submission.submit(values);
    }
    // A disabled field loses the focus, so the button gets the focus before the fields are disabled.
    element.querySelector<HTMLElement>("[type=submit]")?.focus({ preventScroll: true });
  }

  const isBusy = state.status === "sending";
  return {
    isBusy,
    failure,
    errors,
    box,
    element: form,
    formProps: {
      ref: form,
      onInput,
      onSubmit,
      method: "post",
      action: POST_PATHS[name],
      // The browser's own messages may be in another language.
      noValidate: true,
      "aria-busy": isBusy,
    },
  } as const;
}

let isFirstForm = true;

/** Only the first form of a page is filled in by the page's address: the form after a submission begins empty. */
function takePageQuery(): string {
  const query = isFirstForm ? location.search : "";
  isFirstForm = false;
  // A reload, or a later link to the same application, must not find the address of an application that is gone.
  if (new URLSearchParams(query).has(EDIT_PARAMETER))
    history.replaceState(history.state, "", location.pathname + location.hash);
  return query;
}

function prefill(form: HTMLFormElement, query: string): void {
  const { region, carType, wish } = parsePrefill(query);
  if (region) changeValue(form, "region", (chosen) => chosen || region);
  if (carType && formValues(form).carType) return;
  if (carType) changeValue(form, "carType", () => carType);
  if (wish) changeValue(form, "message", (text) => withWish(text, wish.words));
}
