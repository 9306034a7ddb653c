"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { DialogForm } from "#components/application/dialog-form.tsx";
import { Toast } from "#components/application/toast.tsx";
import { XIcon } from "#components/ui/icons.tsx";
import { useCloseOnBack } from "#components/ui/use-close-on-back.ts";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { applicationForm } from "#lib/content/application-form.ts";

const TITLE_ID = "application-dialog-title";

/** The application dialog. It opens for an `opener` and gives it back the focus when it closes. */
export function ApplicationDialog({
  phone,
  retentionDays,
  opener,
  onClose,
}: {
  phone: string;
  retentionDays: number;
  opener: HTMLElement | undefined;
  onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Each application has an empty form of its own.
  const [formNumber, setFormNumber] = useState(0);
  const [number, setNumber] = useState<string>();

  useEffect(() => {
    if (!opener) return;
    setNumber(undefined);
    dialog.current?.showModal();
    dialog.current?.querySelector("input")?.focus();
  }, [opener]);

  function closed() {
    opener?.focus({ preventScroll: true });
    onClose();
  }

  const close = () => dialog.current?.close();
  const empty = useCallback(() => setFormNumber((before) => before + 1), []);
  useCloseOnBack(opener !== undefined, close);

  return createPortal(
    <>
      <dialog
        ref={dialog}
        onClose={closed}
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
          <button
            type="button"
            aria-label={applicationForm.close}
            onClick={close}
            className="-mr-3 grid size-12 shrink-0 place-items-center rounded-m text-asphalt-900 hover:bg-asphalt-100"
          >
            <XIcon className="size-6" />
          </button>
        </div>
        <DialogForm
          key={formNumber}
          phone={phone}
          retentionDays={retentionDays}
          open={opener !== undefined}
          onClose={close}
          onReceived={({ applicationId }) => {
            close();
            empty();
            setNumber(formatApplicationId(applicationId));
          }}
          onDone={empty}
        />
      </dialog>
      <div
        role="status"
        className="pointer-events-none fixed inset-x-4 bottom-[calc(5.5rem+env(safe-area-inset-bottom))] z-50 flex justify-center md:bottom-8"
      >
        {number && <Toast key={number} number={number} onClose={() => setNumber(undefined)} />}
      </div>
    </>,
    document.body,
  );
}
