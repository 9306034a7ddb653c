"use client";

import { Field, type FieldFrame } from "#components/application/field.tsx";
import { fieldCopy } from "#lib/content/application-form.ts";
import { fill } from "#lib/content/copy.ts";

/** The age in years. A mouse wheel does not change it: the field gives up the focus, and the page scrolls. */
export function AgeField({
  ages,
  value,
  ...frame
}: FieldFrame & { ages: { min: number; max: number }; value: string | undefined }) {
  return (
    <Field {...frame} hint={!frame.error && fill(fieldCopy.age.hint, ages)}>
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
          placeholder={fieldCopy.age.placeholder}
          onWheel={({ currentTarget }) => currentTarget.blur()}
          className="control control-number tabular"
        />
      )}
    </Field>
  );
}
