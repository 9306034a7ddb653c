"use client";

import type { Ref } from "react";
import { FailureBox } from "#components/application/failure-box.tsx";
import { serverErrors } from "#components/application/form-errors.ts";
import { TextByHand } from "#components/application/text-by-hand.tsx";
import type { Submitted } from "#components/application/use-submission.ts";
import { FIELD_NAMES } from "#lib/application/fields.ts";
import { summarise } from "#lib/application/summary.ts";
import { fieldCopy } from "#lib/content/application-form.ts";
import { failure } from "#lib/content/application-result.ts";
import { smsHref } from "#lib/content/links.ts";

/** Neither received nor kept: what is wrong, and the way by text message. The values stay in the form. */
export function ContactFailure({
  failed: { result, values },
  phone,
  ref,
}: {
  failed: Submitted;
  phone: string;
  ref: Ref<HTMLDivElement>;
}) {
  const errors = result.kind === "refused" ? serverErrors(result.errors) : {};
  const wrong = FIELD_NAMES.filter((field) => errors[field] !== undefined);
  const errorText = "errorText" in result ? result.errorText : undefined;
  const summary = summarise(values);
  return (
    <FailureBox
      ref={ref}
      title={failure.title}
      links={[{ label: failure.sms, href: smsHref(phone, summary) }]}
    >
      <p className="[overflow-wrap:anywhere]">{errorText ?? failure.unknown}</p>
      {wrong.length > 0 && (
        <ul className="my-1 list-disc pl-5">
          {wrong.map((field) => (
            <li key={field}>
              {fieldCopy[field].label}: {errors[field]}
            </li>
          ))}
        </ul>
      )}
      <p>{failure.offline}</p>
      <TextByHand phone={phone} summary={summary} />
    </FailureBox>
  );
}
