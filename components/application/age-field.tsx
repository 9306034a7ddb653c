"use client";

import { useRef } from "react";
import { Field, type FieldFrame } from "#components/application/field.tsx";
import { useFieldValue } from "#components/application/use-field-value.ts";
import { AGE_MAX_YEARS, FIELDS } from "#lib/application/fields.ts";
import { moveDraft } from "#lib/browser/form-record.ts";
import { formValues } from "#lib/browser/form-values.ts";
import { hints } from "#lib/content/application-form.ts";
import { fill } from "#lib/content/copy.ts";
import { formHref } from "#lib/content/links.ts";

/** The age in years. A mouse wheel does not change it: the field gives up the focus, and the page scrolls. */
export function AgeField({
  ages,
  value,
  ...frame
}: FieldFrame & { ages: { min: number; max: number }; value: string | undefined }) {
  const elsewhere = ages.max < AGE_MAX_YEARS.contact && <Elsewhere than={ages.max} />;
  return (
    <Field {...frame} hint={frame.error ? elsewhere : fill(hints.age.limits, ages)}>
      {(control) => (
        <input
          {...control}
          {...ages}
          type="number"
          name="age"
          defaultValue={value}
          required
          inputMode="numeric"
          enterKeyHint="next"
          placeholder={FIELDS.age.placeholder}
          onWheel={({ currentTarget }) => currentTarget.blur()}
          className="control control-number tabular"
        />
      )}
    </Field>
  );
}

/** For somebody too old for the dialog: the form on its page takes them, with what is typed here. */
function Elsewhere({ than }: { than: number }) {
  const link = useRef<HTMLAnchorElement>(null);
  const age = Number(useFieldValue(link, "age"));
  const max = AGE_MAX_YEARS.contact;
  const isFor = age > than && age <= max;
  return (
    <span hidden={!isFor}>
      {fill(hints.age.elsewhere, { max })}{" "}
      <a
        ref={link}
        href={formHref}
        onClick={({ currentTarget }) => {
          const form = currentTarget.closest("form");
          if (form) moveDraft(formValues(form), "dialog", "contact");
        }}
        className="font-semibold text-sign-800 underline underline-offset-4 hover:decoration-2"
      >
        {hints.age.there}
      </a>
    </span>
  );
}
