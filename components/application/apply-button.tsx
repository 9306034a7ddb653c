"use client";

import { type ComponentProps, type ReactNode, startTransition, useRef, useState } from "react";
import type { ApplicationDialog } from "#components/application/application-dialog.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { PencilIcon } from "#components/ui/icons.tsx";
import { useWhenIdle } from "#components/ui/use-when-idle.ts";
import { withTimeout } from "#lib/browser/with-timeout.ts";
import { formHref } from "#lib/content/links.ts";

/** A click leads to /contact if the dialog's code takes longer. */
const CODE_LIMIT_MS = 3_000;

const loadDialog = () => import("#components/application/application-dialog.tsx");

export function ApplyButton({
  children,
  ...dialog
}: Omit<
  ComponentProps<typeof ApplicationDialog>,
  "isOpen" | "onOpen" | "onClose" | "returnFocus"
> & {
  children: ReactNode;
}) {
  const [Dialog, setDialog] = useState<typeof ApplicationDialog>();
  const [isOpen, setOpen] = useState(false);
  const link = useRef<HTMLAnchorElement>(null);
  useWhenIdle(loadDialog);

  async function open() {
    const code = await withTimeout(loadDialog(), CODE_LIMIT_MS);
    // A transition lets the browser show the pressed button first, because a slow phone renders the form for 300 ms.
    startTransition(() => {
      setDialog(() => code.ApplicationDialog);
      setOpen(true);
    });
  }

  const onOpen = () => setOpen(true);
  const returnFocus = () => link.current?.focus({ preventScroll: true });

  function onClose() {
    setOpen(false);
    returnFocus();
    // Scrolls to the button: the toast must not cover the button, and the receipt appears below the button.
    link.current?.scrollIntoView({ block: "nearest", behavior: "instant" });
  }

  return (
    <>
      <ButtonLink
        ref={link}
        href={formHref}
        variant="outline"
        size="lg"
        icon={PencilIcon}
        aria-haspopup="dialog"
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
          event.preventDefault();
          open().catch(() => location.assign(formHref));
        }}
        className="scroll-mt-50 scroll-mb-32"
      >
        {children}
      </ButtonLink>
      {Dialog && <Dialog {...dialog} {...{ isOpen, onOpen, onClose, returnFocus }} />}
    </>
  );
}
