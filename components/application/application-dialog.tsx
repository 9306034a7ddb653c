"use client";

import { useEffect, useEffectEvent, useRef } from "react";
import { ApplicationForm } from "#components/application/application-form.tsx";
import type { Place } from "#components/application/result.tsx";
import { useCountdown } from "#components/application/use-countdown.ts";
import { useFormRecord } from "#components/application/use-form-record.ts";
import { CloseButton } from "#components/ui/close-button.tsx";
import { CheckIcon } from "#components/ui/icons.tsx";
import { useCloseOnBack } from "#components/ui/use-close-on-back.ts";
import { formatApplicationId } from "#lib/application/application-id.ts";
import type { Receipt } from "#lib/application/response-body.ts";
import { applicationForm } from "#lib/content/application-form.ts";
import { receipt, success } from "#lib/content/application-result.ts";

const TITLE_ID = "application-dialog-title";
const TOAST_SECONDS = 10;

/** The application dialog, and the toast when its application was received. */
export function ApplicationDialog({
  isOpen,
  onClose,
  ...place
}: Place & { isOpen: boolean; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { record, told, forget } = useFormRecord("dialog", isOpen);
  const close = () => dialog.current?.close();
  useCloseOnBack(isOpen, close);

  const open = useEffectEvent(() => {
    forget();
    dialog.current?.showModal();
    dialog.current?.querySelector("input")?.focus();
  });
  useEffect(() => {
    if (isOpen) open();
  }, [isOpen]);
  useEffect(() => {
    if (told) dialog.current?.close();
  }, [told]);

  return (
    <>
      <dialog
        ref={dialog}
        onClose={onClose}
        aria-labelledby={TITLE_ID}
        className="application-sheet"
      >
        <div className="flex shrink-0 items-center justify-between gap-4 border-asphalt-300 border-b px-5 py-3 md:px-8 md:py-4.5">
          <h2
            id={TITLE_ID}
            className="font-heavy text-xl text-asphalt-900 leading-[1.36] tracking-title md:text-2xl"
          >
            {applicationForm.title}
          </h2>
          <CloseButton onClick={close} className="-mr-3 size-12 hover:bg-asphalt-100" />
        </div>
        <ApplicationForm {...place} key={record.name} record={record} onClose={close} />
      </dialog>
      {/* On a phone at the top: below lie the ways to call. */}
      <div
        role="status"
        className="pointer-events-none fixed inset-x-4 top-19 z-50 flex justify-center md:top-auto md:bottom-8"
      >
        {told?.receipt && <Toast {...place} receipt={told.receipt} onClose={forget} />}
      </div>
    </>
  );
}

type ToastProps = Pick<Place, "callback"> & { receipt: Receipt; onClose: () => void };

/** The toast closes by hand or after ten seconds. The receipt on the page follows. */
function Toast({ receipt: { applicationId }, callback, onClose }: ToastProps) {
  const { panel } = useCountdown(TOAST_SECONDS, onClose);
  return (
    <div
      ref={panel}
      className="on-dark pointer-events-auto flex max-w-xl items-start gap-3 rounded-m bg-asphalt-900 py-2 pr-2 pl-5 text-white fade-in"
    >
      <CheckIcon className="mt-2.5 size-5 text-lane-500" />
      <p className="min-w-0 py-2 font-strong leading-normal">
        {success.toast}{" "}
        <span className="inline-block tabular">
          {receipt.number} {formatApplicationId(applicationId)}
        </span>
        {callback && <span className="block font-normal">{callback}</span>}
      </p>
      <CloseButton onClick={onClose} className="hover:bg-asphalt-700" />
    </div>
  );
}
