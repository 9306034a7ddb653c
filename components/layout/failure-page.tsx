"use client";

import { createContext, type ReactNode, use } from "react";
import { LostRoad } from "#components/layout/lost-road.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { CopyNumber } from "#components/ui/copy-number.tsx";
import { PhoneIcon, TurnIcon } from "#components/ui/icons.tsx";
import { telHref } from "#lib/content/links.ts";
import { failedPage } from "#lib/content/not-found.ts";

interface WaysOut {
  phone?: string;
  /** The direction sign, made on the server. */
  sign?: ReactNode;
}

const Context = createContext<WaysOut>({});

/**
 * Keeps the ways out for the error page, which Next renders without props of ours. The layout holds it, so
 * that all of it is there before anything fails.
 */
export function FailureFrame({ children, ...waysOut }: WaysOut & { children: ReactNode }) {
  return <Context value={waysOut}>{children}</Context>;
}

/** A page that could not be made: try again, call, or go on from the sign. */
export function FailurePage({ onAgain }: { onAgain: () => void }) {
  const { phone, sign } = use(Context);
  return (
    <LostRoad
      title={failedPage.title}
      lead={failedPage.lead}
      actions={
        <>
          <Button onClick={onAgain} size="lg" icon={TurnIcon}>
            {failedPage.again}
          </Button>
          {phone && (
            <ButtonLink
              href={telHref(phone)}
              variant="outline"
              size="lg"
              icon={PhoneIcon}
              className="tabular whitespace-nowrap"
            >
              {phone}
            </ButtonLink>
          )}
          {phone && <CopyNumber phone={phone} />}
        </>
      }
    >
      {sign}
    </LostRoad>
  );
}
