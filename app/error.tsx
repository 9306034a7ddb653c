"use client";

import { Phone, RotateCw } from "lucide-react";
import { DirectionSign } from "#components/layout/direction-sign.tsx";
import { useInquiryPhone } from "#components/layout/inquiry-phone.tsx";
import { LostRoad } from "#components/layout/lost-road.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { telHref } from "#lib/content/links.ts";
import { failure, notFound } from "#lib/content/not-found.ts";

/** What Next shows when a page could not be made: try again, call, or go on from the sign. */
export default function ErrorPage({ reset }: { reset: () => void }) {
  const phone = useInquiryPhone();
  return (
    <LostRoad
      title={failure.title}
      lead={failure.lead}
      actions={
        <>
          <Button onClick={reset} size="lg" icon={RotateCw}>
            {failure.again}
          </Button>
          {phone && (
            <ButtonLink
              href={telHref(phone)}
              variant="outline"
              size="lg"
              icon={Phone}
              className="tabular whitespace-nowrap"
            >
              {phone}
            </ButtonLink>
          )}
        </>
      }
    >
      <DirectionSign label={notFound.sign} />
    </LostRoad>
  );
}
