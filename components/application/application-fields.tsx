"use client";

import type { ComponentProps, ReactNode } from "react";
import { useCallback, useEffect, useRef, useState } from "react";
import { DateField } from "#components/application/date-field.tsx";
import { Field, type FieldProps } from "#components/application/field.tsx";
import { MessageField } from "#components/application/message-field.tsx";
import { CheckIcon, ChevronDownIcon } from "#components/ui/icons.tsx";
import { parseAge } from "#lib/application/age.ts";
import {
  AGE_MAX_YEARS_BY_FORM,
  AGE_MIN_YEARS,
  FIELD_NAMES,
  type FieldName,
  type FormName,
  fieldFacts,
  HONEYPOT_FIELD,
  OPTIONAL_FIELDS,
} from "#lib/application/fields.ts";
import type { ErrorMessages } from "#lib/browser/form-errors.ts";
import {
  areSameValues,
  changeValue,
  type FormValues,
  formValues,
} from "#lib/browser/form-values.ts";
import { applicationFormTexts, fieldHints } from "#lib/content/application-form.ts";
import { withTopicParticle } from "#lib/content/korean-words.ts";
import { formHref } from "#lib/content/links.ts";
import { formRegionNames, phoneOnlyRegionNames } from "#lib/content/regions.ts";
import { fillPlaceholders } from "#lib/content/text-notation.ts";

const GROUPS = ["person", "schedule", "car"] as const;
const REQUIRED_FIELDS = FIELD_NAMES.filter((name) => !OPTIONAL_FIELDS.includes(name));

export function ApplicationFields({
  form,
  errors = {},
  values = {},
  disabled = false,
  sending = false,
}: {
  form: FormName;
  errors?: ErrorMessages;
  values?: FormValues;
  disabled?: boolean;
  sending?: boolean;
}) {
  const fieldset = useRef<HTMLFieldSetElement>(null);
  const [typed, setTyped] = useState<FormValues>({});

  useEffect(() => {
    const form = fieldset.current?.form;
    if (!form) return;
    form.dataset.ready = "";
    const readFields = () => {
      const values = formValues(form);
      setTyped((known) => (areSameValues(known, values) ? known : values));
    };
    // The server or Back may have filled in fields before this script runs.
    readFields();
    form.addEventListener("input", readFields);
    addEventListener("pageshow", readFields);
    return () => removeEventListener("pageshow", readFields);
  }, []);

  const edit = useCallback<FieldProps["edit"]>((name, change) => {
    const form = fieldset.current?.form;
    if (form) changeValue(form, name, change);
  }, []);

  const fields = (names: readonly FieldName[]) => (
    <div className="field-grid">
      {names.map((name) => {
        const Control = CONTROLS[name] ?? (fieldFacts(name).options ? Tiles : TextField);
        const state = { value: values[name], error: errors[name], typed, edit };
        return <Control key={name} form={form} name={name} {...state} />;
      })}
    </div>
  );
  return (
    <>
      {form === "dialog" && (
        <p className="text-asphalt-600 type-helper">
          <span className="text-error-600">*</span> {applicationFormTexts.note.dialog}
        </p>
      )}
      <FieldProgress
        filled={REQUIRED_FIELDS.filter((name) => typed[name] ?? values[name]).length}
        sending={sending}
      />
      <fieldset ref={fieldset} disabled={disabled} className="min-w-0">
        {form === "dialog"
          ? fields(FIELD_NAMES)
          : GROUPS.map((group) => (
              <fieldset key={group} className="field-group">
                <legend className="field-group-title">{applicationFormTexts.groups[group]}</legend>
                {fields(FIELD_NAMES.filter((name) => fieldFacts(name).group === group))}
              </fieldset>
            ))}
        {/* The honeypot comes last, because the forms focus their first input. The attributes keep autofill away. */}
        <input
          name={HONEYPOT_FIELD}
          aria-hidden
          tabIndex={-1}
          autoComplete="off"
          data-1p-ignore
          data-lpignore="true"
          data-bwignore
          className="absolute -left-[300rem]"
        />
      </fieldset>
    </>
  );
}

/** A drawing of a road. Each required field that is filled in makes a dash yellow, and sending makes one more. */
function FieldProgress({ filled, sending }: { filled: number; sending: boolean }) {
  const all = REQUIRED_FIELDS.length;
  const coloured = filled + Number(sending);
  return (
    <div aria-hidden className="field-progress">
      <div className="field-dashes">
        {[...Array(all + 1).keys()].map((index) => (
          <span key={index} data-filled={index < coloured ? "" : undefined} />
        ))}
      </div>
      {/* An untouched form has no count, so that it looks the same as without scripts, where nothing can count. */}
      <p className="field-count">
        {filled > 0 && fillPlaceholders(applicationFormTexts.count, { all, filled })}
      </p>
    </div>
  );
}

const CONTROLS: Partial<Record<FieldName, (props: FieldProps) => ReactNode>> = {
  age: AgeField,
  region: RegionField,
  preferredDate: DateField,
  message: MessageField,
};

const INPUT_ATTRIBUTES: Partial<Record<FieldName, ComponentProps<"input">>> = {
  name: { autoComplete: "name" },
  phone: { autoComplete: "tel", type: "tel" },
};

/** The key 다음 of a phone's keyboard moves to the next field. On iOS this key is an Enter, which would submit. */
const NEXT_KEY_PROPS: ComponentProps<"input"> = {
  enterKeyHint: "next",
  onKeyDown(event) {
    // In Safari the Enter that ends a composed syllable has the code 229, and `isComposing` is already false.
    const isComposing = event.nativeEvent.isComposing || event.keyCode === 229;
    if (event.key !== "Enter" || isComposing || !matchMedia("(pointer: coarse)").matches) return;
    event.preventDefault();
    const fields = [...document.querySelectorAll<HTMLElement>("[name]")];
    fields[fields.indexOf(event.currentTarget) + 1]?.focus();
  },
};

function TextField(field: FieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...control}
          {...NEXT_KEY_PROPS}
          {...INPUT_ATTRIBUTES[field.name]}
          className="control"
        />
      )}
    </Field>
  );
}

function Tiles(field: FieldProps) {
  const { options = [] } = fieldFacts(field.name);
  return (
    <Field {...field}>
      {({ id, defaultValue, ...control }) => (
        <div className="tiles">
          {options.map(({ code, label }, index) => (
            <label key={code} className="tile">
              <input
                {...control}
                id={index === 0 ? id : undefined}
                type="radio"
                // A request has the Korean label of the gender, not its code.
                value={field.name === "gender" ? label : code}
                defaultChecked={defaultValue === code || defaultValue === label}
              />
              <CheckIcon />
              {label}
            </label>
          ))}
        </div>
      )}
    </Field>
  );
}

function RegionField(field: FieldProps) {
  const hint =
    phoneOnlyRegionNames.length > 0 &&
    fillPlaceholders(fieldHints.region, {
      missing: withTopicParticle(phoneOnlyRegionNames.join(", ")),
    });
  return (
    <Field {...field} hint={hint}>
      {({ placeholder, defaultValue = "", ...control }) => (
        <div className="relative">
          <select {...control} defaultValue={defaultValue} className="control control-select">
            <option value="">{placeholder}</option>
            {formRegionNames.map((region) => (
              <option key={region} value={region} className="text-asphalt-900">
                {region}
              </option>
            ))}
          </select>
          <ChevronDownIcon />
        </div>
      )}
    </Field>
  );
}

/** A visitor who is too old for the dialog gets a link to /contact, which has a higher limit. */
function AgeField(field: FieldProps) {
  const age = parseAge(field.typed.age ?? "");
  const ages = { min: AGE_MIN_YEARS, max: AGE_MAX_YEARS_BY_FORM[field.form] };
  const elsewhere = age > ages.max && age <= AGE_MAX_YEARS_BY_FORM.contact && (
    <>
      {fillPlaceholders(fieldHints.age.tooOldForDialog, { over: ages.max + 1 })}{" "}
      <a href={formHref} className="inline-link">
        {fieldHints.age.link}
      </a>
    </>
  );
  return (
    <Field
      {...field}
      hint={field.error ? elsewhere : fillPlaceholders(fieldHints.age.limits, ages)}
    >
      {(control) => (
        <input {...control} {...NEXT_KEY_PROPS} inputMode="numeric" className="control tabular" />
      )}
    </Field>
  );
}
