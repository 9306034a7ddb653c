"use client";

import type { ReactNode, Ref } from "react";
import { FailureBox } from "#components/application/failure-box.tsx";
import { serverErrors } from "#components/application/form-errors.ts";
import { TextByHand } from "#components/application/text-by-hand.tsx";
import { WrongFields } from "#components/application/wrong-fields.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { Copy } from "#components/ui/copy.tsx";
import { MessageIcon } from "#components/ui/icons.tsx";
import type { FormName } from "#lib/application/fields.ts";
import { applicationText } from "#lib/application/summary.ts";
import type { Submitted } from "#lib/browser/submit.ts";
import { failure, refusal } from "#lib/content/application-result.ts";
import { smsHref, telHref } from "#lib/content/links.ts";

interface Props {
  failed: Submitted;
  phone: string;
  ref: Ref<HTMLDivElement>;
}

/** On /contact: neither received nor kept. The values stay in the form. */
export function ContactFailure({ failed, phone, ref }: Props) {
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
    >
      <p className="[overflow-wrap:anywhere]">{errorText ?? failure.unknown}</p>
      <p>
        <Copy text={failure.offline} />
      </p>
      <TextByHand phone={phone} text={text} />
    </FailureBox>
  );
}

/** In the dialog: not received; kept on this device where that was possible. */
export function DialogFailure({ failed, phone, ref }: Props) {
  const { result, values } = failed;
  if (hasWrongFields(failed)) return <RefusedFields form="dialog" failed={failed} ref={ref} />;
  const text = applicationText(values);
  return (
    <FailureBox
      ref={ref}
      title={failure.dialog}
      links={[{ label: failure.call, href: telHref(phone) }]}
    >
      <p>
        {failure.valuesKept} {result.kind === "kept" && <Copy text={failure.sentLater} />}
      </p>
      <Actions>
        <Button size="sm" onClick={({ currentTarget }) => currentTarget.form?.requestSubmit()}>
          {failure.again}
        </Button>
        <ButtonLink href={smsHref(phone, text)} variant="outline" size="sm" icon={MessageIcon}>
          {failure.sms}
        </ButtonLink>
      </Actions>
      {result.kind === "refused" && <p>{result.errorText}</p>}
      <TextByHand phone={phone} text={text} />
    </FailureBox>
  );
}

function Actions({ children }: { children: ReactNode }) {
  return <div className="mt-3 mb-4 flex flex-wrap gap-2.5">{children}</div>;
}

/** Whether the server named fields of the form that are wrong. */
export function hasWrongFields({ result }: Submitted): boolean {
  return result.kind === "refused" && Object.keys(serverErrors(result.errors)).length > 0;
}

/** The server read it and refused fields: nobody has it, and the form is the place to go on. */
function RefusedFields({
  form,
  failed: { result },
  ref,
}: Pick<Props, "failed" | "ref"> & { form: FormName }) {
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
