"use client";

import type { Ref } from "react";
import { FailureBox } from "#components/application/failure-box.tsx";
import { serverErrors } from "#components/application/form-errors.ts";
import { TextByHand } from "#components/application/text-by-hand.tsx";
import { WrongFields } from "#components/application/wrong-fields.tsx";
import { Copy } from "#components/ui/copy.tsx";
import type { FormName } from "#lib/application/fields.ts";
import { applicationText } from "#lib/application/summary.ts";
import type { Submitted } from "#lib/browser/submit.ts";
import { failure, refusal } from "#lib/content/application-result.ts";
import { smsHref, telHref } from "#lib/content/links.ts";

export interface FailureProps {
  failed: Submitted;
  phone: string;
  ref: Ref<HTMLDivElement>;
}

/** On /contact: neither received nor kept. The values stay in the form. */
export function ContactFailure({ failed, phone, ref }: FailureProps) {
  const { result, values } = failed;
  if (hasWrongFields(failed)) return <RefusedFields form="contact" failed={failed} ref={ref} />;
  const errorText = "errorText" in result ? result.errorText : undefined;
  const text = applicationText(values);
  return (
    <FailureBox
      ref={ref}
      title={failure.title}
      links={[
        { label: failure.sms, href: smsHref(phone, text) },
        { label: failure.call, href: telHref(phone) },
      ]}
      details={<TextByHand phone={phone} text={text} />}
    >
      <p className="wrap-anywhere">{errorText ?? failure.unknown}</p>
      <p>
        <Copy text={failure.offline} />
      </p>
    </FailureBox>
  );
}

/** Whether the server named fields of the form that are wrong. */
export function hasWrongFields({ result }: Submitted): boolean {
  return result.kind === "refused" && Object.keys(serverErrors(result.errors)).length > 0;
}

/** The server read it and refused fields: nobody has it, and the form is the place to go on. */
export function RefusedFields({
  form,
  failed: { result },
  ref,
}: Pick<FailureProps, "failed" | "ref"> & { form: FormName }) {
  const errors = result.kind === "refused" ? serverErrors(result.errors) : {};
  return (
    <FailureBox ref={ref} title={refusal.title}>
      <p>
        <Copy text={refusal.text} />
      </p>
      <WrongFields form={form} errors={errors} />
    </FailureBox>
  );
}
