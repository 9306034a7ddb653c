"use client";

import { type ComponentProps, type MouseEvent, type ReactNode, useEffect, useState } from "react";
import type { ApplicationDialog } from "#components/application/application-dialog.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { PencilIcon } from "#components/ui/icons.tsx";
import { useWhenIdle } from "#lib/browser/when-idle.ts";
import { withTimeout } from "#lib/browser/with-timeout.ts";
import { formHref } from "#lib/content/links.ts";

const ICONS = { pencil: PencilIcon } as const;

/** After this the link leads to /contact: a visitor does not wait for code that may never come. */
const CODE_LIMIT_MS = 3_000;

const loadDialog = () => import("#components/application/application-dialog.tsx");

/** All apply buttons of a page open one dialog, so that what was typed is found again from each. */
let openShared: ((opener: HTMLElement) => void) | undefined;

/**
 * Opens the application dialog, whose code is loaded when the browser is idle, at the latest on the press.
 * Without script, or when that code cannot be loaded, it leads to the form on its page.
 */
export function ApplyButton({
  phone,
  notice,
  callback,
  icon,
  children,
  ...look
}: Pick<ComponentProps<typeof ButtonLink>, "variant" | "size" | "className"> & {
  phone: string;
  /** What the form says of personal data. */
  notice: ReactNode;
  callback?: string | undefined;
  icon?: keyof typeof ICONS;
  children: ReactNode;
}) {
  const [Dialog, setDialog] = useState<typeof ApplicationDialog>();
  const [opener, setOpener] = useState<HTMLElement>();
  useWhenIdle(loadDialog);

  useEffect(
    () => () => {
      if (openShared === setOpener) openShared = undefined;
    },
    [],
  );

  async function open(from: HTMLElement) {
    if (openShared === undefined) {
      const loaded = await withTimeout(loadDialog(), CODE_LIMIT_MS);
      openShared ??= setOpener;
      if (openShared === setOpener) setDialog(() => loaded.ApplicationDialog);
    }
    openShared(from);
  }

  function onClick(event: MouseEvent<HTMLAnchorElement>) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    open(event.currentTarget).catch(() => location.assign(formHref));
  }

  return (
    <>
      <ButtonLink
        {...look}
        href={formHref}
        icon={icon && ICONS[icon]}
        aria-haspopup="dialog"
        onClick={onClick}
      >
        {children}
      </ButtonLink>
      {Dialog && (
        <Dialog
          phone={phone}
          notice={notice}
          callback={callback}
          opener={opener}
          onClose={() => setOpener(undefined)}
        />
      )}
    </>
  );
}
