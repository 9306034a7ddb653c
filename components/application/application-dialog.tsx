"use client";

import { type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import { ApplicationForm } from "#components/application/application-form.tsx";
import type { BusinessContact } from "#components/application/result.tsx";
import { SubmitNotes } from "#components/application/submit-notes.tsx";
import { useAutoClose } from "#components/application/use-auto-close.ts";
import { useFormSubmission } from "#components/application/use-form-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { CloseButton } from "#components/ui/close-button.tsx";
import { CheckIcon } from "#components/ui/icons.tsx";
import { useCloseOnBack } from "#components/ui/use-close-on-back.ts";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { dialogFailureTexts, receivedToast } from "#lib/content/application-dialog.ts";
import { applicationFormTexts } from "#lib/content/application-form.ts";
import { receiptTexts, submissionFailureTexts } from "#lib/content/application-result.ts";

const TITLE_ID = "application-dialog-title";
const TOAST_SECONDS = 10;

export function ApplicationDialog({
  isOpen,
  onOpen,
  onClose,
  returnFocus,
  phone,
  callbackPromise,
  retentionDays,
  registration,
}: BusinessContact & {
  isOpen: boolean;
  onOpen: () => void;
  onClose: () => void;
  returnFocus: () => void;
  retentionDays: number;
  registration: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { submission, state } = useFormSubmission("dialog");
  const { status } = state;
  const failure = status === "editing" ? state.failure : undefined;
  const isBusy = status === "sending";
  const hasFailed = status === "kept" || failure;
  const close = () => dialog.current?.close();
  useCloseOnBack(isOpen, close);

  const open = useEffectEvent(() => {
    if (status === "received") submission.reset();
    dialog.current?.showModal();
    // A group of radio buttons is invalid too, but only its buttons can have the focus.
    const first = ["[name][aria-invalid=true]", "[role=alert]", "input"].map((selector) =>
      dialog.current?.querySelector<HTMLElement>(selector),
    );
    first.find((element) => element)?.focus();
  });
  useEffect(() => {
    if (isOpen) open();
  }, [isOpen]);
  useEffect(() => {
    if (status === "received") dialog.current?.close();
  }, [status]);
  const reopen = useEffectEvent(onOpen);
  useEffect(() => {
    // The visitor may have closed the dialog during the request, and nothing else in view tells how it ended.
    if (status === "kept" || failure) reopen();
  }, [status, failure]);

  return (
    <>
      <dialog
        ref={dialog}
        onClose={() => {
          // From now on, a notice box shows the kept application.
          if (status === "kept") submission.reset();
          onClose();
        }}
        aria-labelledby={TITLE_ID}
        className="application-sheet"
      >
        <div className="flex shrink-0 items-center justify-between gap-4 border-asphalt-300 border-b px-5 py-3 md:px-8 md:py-4.5">
          <h2
            id={TITLE_ID}
            className="font-heavy text-xl text-asphalt-900 leading-[1.36] tracking-title md:text-2xl"
          >
            {applicationFormTexts.title}
          </h2>
          <CloseButton onClick={close} className="-mr-3 size-12 hover:bg-asphalt-100" />
        </div>
        <ApplicationForm
          key={state.round}
          {...{ submission, state, phone }}
          submitNotes={<SubmitNotes {...{ retentionDays, registration, callbackPromise }} />}
          failureTexts={dialogFailureTexts}
          className="flex min-h-0 flex-auto flex-col"
          bodyClassName="sheet-body"
        >
          <div className="sheet-buttons">
            <Button variant="outline" onClick={close}>
              {status === "editing" ? applicationFormTexts.cancel : applicationFormTexts.close}
            </Button>
            <Button type="submit" busy={isBusy} className="px-3 md:min-w-48">
              {isBusy
                ? applicationFormTexts.busy
                : hasFailed
                  ? submissionFailureTexts.again
                  : applicationFormTexts.submit}
            </Button>
          </div>
        </ApplicationForm>
      </dialog>
      <div role="status" className="toast-place">
        {/* An open modal dialog makes the live region inert, and a screen reader might miss the toast. */}
        {status === "received" && !isOpen && (
          <Toast onClose={submission.reset} returnFocus={returnFocus}>
            <span className="toast-title">{receivedToast.title}</span>{" "}
            <span className="block font-semibold tabular">
              {receiptTexts.number} {formatApplicationId(state.receipt.applicationId)}
            </span>
            {callbackPromise}
          </Toast>
        )}
      </div>
    </>
  );
}

function Toast({
  children,
  onClose,
  returnFocus,
}: {
  children: ReactNode;
  onClose: () => void;
  returnFocus: () => void;
}) {
  const { box } = useAutoClose(TOAST_SECONDS, onClose);
  const closeByHand = () => {
    onClose();
    // The close button, which has the focus, disappears with the toast.
    returnFocus();
  };
  return (
    <div ref={box} className="toast on-dark">
      <span className="toast-sign">
        <CheckIcon />
      </span>
      <p className="min-w-0 flex-auto py-2">{children}</p>
      <CloseButton onClick={closeByHand} className="hover:bg-asphalt-700" />
    </div>
  );
}
