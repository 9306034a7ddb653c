"use client";

import { FailureBox } from "#components/application/failure-box.tsx";
import {
  type FailureProps,
  hasWrongFields,
  RefusedFields,
} from "#components/application/submission-failure.tsx";
import { TextByHand } from "#components/application/text-by-hand.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { Copy } from "#components/ui/copy.tsx";
import { MessageIcon } from "#components/ui/icons.tsx";
import { applicationText } from "#lib/application/summary.ts";
import { failure } from "#lib/content/application-result.ts";
import { dialogFailure } from "#lib/content/dialog-result.ts";
import { smsHref, telHref } from "#lib/content/links.ts";

/** In the dialog: not received; kept on this device where that was possible. */
export function DialogFailure({ failed, phone, ref }: FailureProps) {
  const { result, values } = failed;
  if (hasWrongFields(failed)) return <RefusedFields form="dialog" failed={failed} ref={ref} />;
  const text = applicationText(values);
  return (
    <FailureBox
      ref={ref}
      title={dialogFailure.title}
      links={[{ label: failure.call, href: telHref(phone) }]}
    >
      <p>
        {dialogFailure.valuesKept}{" "}
        {result.kind === "kept" && <Copy text={dialogFailure.sentLater} />}
      </p>
      <div className="mt-3 mb-4 flex flex-wrap gap-2.5">
        <Button size="sm" onClick={({ currentTarget }) => currentTarget.form?.requestSubmit()}>
          {dialogFailure.again}
        </Button>
        <ButtonLink href={smsHref(phone, text)} variant="outline" size="sm" icon={MessageIcon}>
          {failure.sms}
        </ButtonLink>
      </div>
      {result.kind === "refused" && <p>{result.errorText}</p>}
      <TextByHand phone={phone} text={text} />
    </FailureBox>
  );
}
