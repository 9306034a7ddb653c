"use client";

import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { ApplicationForm } from "#components/application/application-form.tsx";
import { Toast } from "#components/application/toast.tsx";
import { XIcon } from "#components/ui/icons.tsx";
import { useCloseOnBack } from "#components/ui/use-close-on-back.ts";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { applicationForm } from "#lib/content/application-form.ts";

const TITLE_ID = "application-dialog-title";

interface Told {
  id: string;
  number: string;
}

/** The application dialog. It opens for an `opener` and gives it back the focus when it closes. */
export function ApplicationDialog({
  phone,
  notice,
  callback,
  opener,
  onClose,
}: {
  phone: string;
  notice: ReactNode;
  callback: string | undefined;
  opener: HTMLElement | undefined;
  onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Each application has an empty form of its own.
  const [formNumber, setFormNumber] = useState(0);
  const [told, setTold] = useState<Told>();
  const isOpen = opener !== undefined;
  const wasOpen = useRef(isOpen);
  wasOpen.current = isOpen;

  useEffect(() => {
    if (!opener) return;
    setTold(undefined);
    dialog.current?.showModal();
    dialog.current?.querySelector("input")?.focus();
  }, [opener]);

  function closed() {
    opener?.focus({ preventScroll: true });
    // The toast above must not lie over what stands beside it.
    opener?.scrollIntoView({ block: "nearest", behavior: "instant" });
    onClose();
  }

  const close = useCallback(() => dialog.current?.close(), []);
  useCloseOnBack(isOpen, close);

  return createPortal(
    <>
      <dialog
        ref={dialog}
        onClose={closed}
        aria-labelledby={TITLE_ID}
        className="application-sheet"
      >
        <div className="sheet-head">
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
        <ApplicationForm
          key={formNumber}
          form="dialog"
          phone={phone}
          notice={notice}
          isOpen={isOpen}
          onClose={close}
          onSettled={({ record }) => {
            setFormNumber(formNumber + 1);
            // What was sent after the dialog had been closed, a notice tells.
            if (record?.state !== "received" || (!wasOpen.current && !record.byPress)) return;
            close();
            const number = formatApplicationId(record.receipt.applicationId);
            setTold({ id: record.id, number });
          }}
        />
      </dialog>
      <div role="status" className="toast-place">
        {told && (
          <Toast key={told.id} {...told} callback={callback} onClose={() => setTold(undefined)} />
        )}
      </div>
    </>,
    document.body,
  );
}
