import type { ComponentProps, ReactNode } from "react";
import { CircleAlertIcon } from "#components/ui/icons.tsx";
import { type FieldName, type FormName, fieldFacts } from "#lib/application/fields.ts";
import type { FormValues } from "#lib/browser/form-values.ts";
import { applicationFormTexts } from "#lib/content/application-form.ts";

export interface FieldProps {
  form: FormName;
  name: FieldName;
  value: string | undefined;
  error: string | undefined;
  typed: FormValues;
  /** Changes any field of the form, with an `input` event as if the visitor had typed. */
  edit: (field: FieldName, change: (value: string) => string) => void;
}

type ControlProps = Pick<
  ComponentProps<"input">,
  "id" | "name" | "required" | "placeholder" | "aria-describedby"
> & { defaultValue: string | undefined; "aria-invalid": boolean };

export function fieldId(form: FormName, field: FieldName): string {
  return `${form}-${field}`;
}

export function Field({
  form,
  name,
  value,
  error,
  hint,
  announced,
  children,
}: Omit<FieldProps, "typed" | "edit"> & {
  hint?: ReactNode;
  /** The part of the hint that a screen reader announces on change. */
  announced?: string;
  children: (control: ControlProps) => ReactNode;
}) {
  const { label, placeholder, options, isOptional = false, group } = fieldFacts(name);
  const id = fieldId(form, name);
  // `aria-invalid` is always set: without it, browsers report an empty required field as invalid before any check.
  const isInvalid = error !== undefined;
  const required = !isOptional;
  return (
    <div
      className={group === "car" ? "min-w-0 sm:col-span-2" : "min-w-0"}
      // A `fieldset` would not support `aria-invalid`.
      {...(options && {
        role: "radiogroup",
        "aria-labelledby": `${id}-label`,
        "aria-required": required,
        "aria-invalid": isInvalid,
      })}
    >
      <label id={`${id}-label`} htmlFor={options ? undefined : id} className="field-label">
        {label}
        {isOptional && (
          <span className="ml-1 font-normal text-asphalt-600">{applicationFormTexts.optional}</span>
        )}
        {required && form === "dialog" && (
          <span aria-hidden className="ml-0.5 text-error-600">
            *
          </span>
        )}
      </label>
      {children({
        "aria-invalid": isInvalid,
        // Browsers ignore an id that no element has.
        "aria-describedby": `${id}-error ${id}-hint`,
        id,
        name,
        defaultValue: value,
        required,
        placeholder,
      })}
      {error && (
        <p id={`${id}-error`} className="field-error">
          <CircleAlertIcon />
          <span className="min-w-0">{error}</span>
        </p>
      )}
      {hint && (
        <p
          // A hint of another kind gets a new element. On a translated page, React would not find the old text.
          key={typeof hint}
          id={`${id}-hint`}
          className="mt-1.5 text-asphalt-600 type-helper"
        >
          {hint}
        </p>
      )}
      {announced !== undefined && (
        <span role="status" className="sr-only">
          {announced}
        </span>
      )}
    </div>
  );
}
