"use client";

import { type FormEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { ApplicationFields } from "#components/application/application-fields.tsx";
import { SubmissionFailure } from "#components/application/submission-failure.tsx";
import { UnsentApplication } from "#components/application/unsent-application.tsx";
import { PageText } from "#components/ui/page-text.tsx";
import { POST_PATHS } from "#lib/application/fields.ts";
import {
  consumeTypedFlag,
  valuesBeforeHydration,
  watchBrowserSubmit,
} from "#lib/browser/before-scripts.ts";
import type { Failure } from "#lib/browser/entry.ts";
import {
  checkFields,
  type ErrorMessages,
  focusFirstError,
  hasErrors,
} from "#lib/browser/form-errors.ts";
import type { FormState, FormSubmission } from "#lib/browser/form-submission.ts";
import { changeValue, fillEmptyFields, formValues } from "#lib/browser/form-values.ts";
import { withWish } from "#lib/browser/message-wishes.ts";
import { parsePrefill } from "#lib/browser/prefill.ts";
import { applicationFormTexts } from "#lib/content/application-form.ts";
import { editLabel, submissionFailureTexts } from "#lib/content/application-result.ts";
import { EDIT_PARAMETER } from "#lib/content/links.ts";

/** The form on /contact and in the dialog. `children`: its buttons. */
export function ApplicationForm({
  submission,
  state,
  phone,
  submitNotes,
  failureTexts,
  className,
  bodyClassName,
  children,
}: {
  submission: FormSubmission;
  state: FormState;
  phone: string;
  /** Stands above the buttons. */
  submitNotes: ReactNode;
  /** `kept`: only for the dialog, whose form stays in view while its application is kept. */
  failureTexts: { readonly title: string; readonly kept?: string };
  className: string;
  bodyClassName: string;
  children: ReactNode;
}) {
  const { form: name } = submission;
  const { status, application } = state;
  const failure = "failure" in state ? state.failure : undefined;
  const isUnsent = state.status === "editing" && application && !failure && !state.isReceived;
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
    const isTyped = consumeTypedFlag();
    const query = takePageQuery();
    const values = await submission.restore(new URLSearchParams(query).get(EDIT_PARAMETER));
    // The draft of this tab replaces what the browser has restored, which may be older.
    if (values !== undefined && !isTyped) element.reset();
    // The link that the visitor followed last wins over the draft.
    const { region, carType, wish } = parsePrefill(query);
    fillEmptyFields(element, { region, carType });
    if (typeof values === "object") fillEmptyFields(element, values);
    element.dispatchEvent(new Event("input", { bubbles: true }));
    const isOtherCar = carType !== undefined && carType !== formValues(element).carType;
    if (wish && !isOtherCar) changeValue(element, "message", (text) => withWish(text, wish.words));
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
      shown[changed] ? { ...shown, [changed]: checkFields(name, values)[changed] } : shown,
    );
    submission.writeTyped(values);
  }

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const element = event.currentTarget;
    const { status } = submission.getSnapshot();
    if (status === "kept") void submission.retry();
    else if (status === "editing") {
      const values = formValues(element);
      const wrong = checkFields(name, values);
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

  async function takeBack() {
    await submission.takeBack();
    form.current?.querySelector("input")?.focus();
  }

  const isKept = status === "kept";
  const isBusy = status === "sending";
  return (
    <form
      ref={form}
      onInput={onInput}
      onSubmit={onSubmit}
      method="post"
      action={POST_PATHS[name]}
      // The browser's own messages may be in another language.
      noValidate
      className={className}
    >
      <div className={bodyClassName}>
        {/* The status exists even without text: a screen reader announces only text that is added to it. */}
        <div role="status" className="contents">
          {isBusy && <span className="sr-only">{applicationFormTexts.busy}</span>}
          {isUnsent && (
            <PageText
              as="p"
              className="font-strong text-asphalt-900"
              text={applicationFormTexts.unsent}
            />
          )}
        </div>
        <ApplicationFields
          form={name}
          errors={errors}
          disabled={isBusy || isKept}
          sending={isBusy}
        />
        {submitNotes}
        {failure && (
          <SubmissionFailure
            ref={box}
            form={name}
            failure={failure}
            title={failureTexts.title}
            kept={isKept ? failureTexts.kept : undefined}
          >
            <UnsentApplication
              values={application?.values ?? {}}
              phone={phone}
              smsWords={submissionFailureTexts.sms}
              smsClassName="button button-sm button-outline my-2.5"
              isOpen={!isKept}
            >
              {isKept && (
                <button type="button" onClick={takeBack} className="action-link">
                  {editLabel}
                </button>
              )}
            </UnsentApplication>
          </SubmissionFailure>
        )}
      </div>
      {children}
    </form>
  );
}

/** The address is used once: a reload shows the draft, and the form after a submission begins empty. */
function takePageQuery(): string {
  const query = location.search;
  if (query) history.replaceState(history.state, "", location.pathname + location.hash);
  return query;
}
