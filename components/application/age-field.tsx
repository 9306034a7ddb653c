"use client";

import { useRef } from "react";
import { Field, type FieldProps } from "#components/application/field.tsx";
import { useFieldValue } from "#components/application/use-field-value.ts";
import { AGE_MAX_YEARS, AGE_MIN_YEARS } from "#lib/application/fields.ts";
import { moveDraft } from "#lib/browser/form-record.ts";
import { formValues } from "#lib/browser/form-values.ts";
import { hints } from "#lib/content/application-form.ts";
import { fill } from "#lib/content/copy.ts";
import { formHref } from "#lib/content/links.ts";

/**
 * The age in years. Somebody too old for the dialog is led to the form on its page, which takes them, with what was
 * typed here.
 */
export function AgeField(field: FieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const age = Number(useFieldValue(input, "age"));
  const ages = { min: AGE_MIN_YEARS, max: AGE_MAX_YEARS[field.form] };
  const elsewhere = age > ages.max && age <= AGE_MAX_YEARS.contact && (
    <>
      {fill(hints.age.elsewhere, { max: AGE_MAX_YEARS.contact })}{" "}
      <a
        href={formHref}
        onClick={() => {
          const form = input.current?.form;
          if (form) moveDraft(formValues(form), "dialog", "contact");
        }}
        className="font-semibold text-sign-800 underline underline-offset-4 hover:decoration-2"
      >
        {hints.age.there}
      </a>
    </>
  );
  return (
    <Field {...field} hint={field.error ? elsewhere : fill(hints.age.limits, ages)}>
      {(control) => (
        <input
          {...control}
          {...ages}
          ref={input}
          type="number"
          inputMode="numeric"
          enterKeyHint="next"
          // A mouse wheel does not change it: the field gives up the focus, and the page scrolls.
          onWheel={({ currentTarget }) => currentTarget.blur()}
          className="control tabular [&::-webkit-inner-spin-button]:appearance-none [appearance:textfield]"
        />
      )}
    </Field>
  );
}
