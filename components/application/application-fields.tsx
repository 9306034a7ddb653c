import type { ReactNode } from "react";
import { ChoiceTiles } from "#components/application/choice-tiles.tsx";
import { DateField } from "#components/application/date-field.tsx";
import { CONTROL, Field } from "#components/application/field.tsx";
import { Honeypot } from "#components/application/honeypot.tsx";
import { RegionField } from "#components/application/region-field.tsx";
import {
  AGE_MAX_YEARS,
  AGE_MIN_YEARS,
  CAR_TYPES,
  DAY_TYPES,
  type FieldName,
  type FormName,
  GENDERS,
  MESSAGE_MAX_CHARACTERS,
  NAME_MAX_CHARACTERS,
  TIME_SLOTS,
} from "#lib/application/fields.ts";
import { applicationForm, fieldCopy } from "#lib/content/application-form.ts";
import { fill } from "#lib/content/copy.ts";

/** The wrong fields, each with what is wrong. */
export type FieldErrors = Partial<Record<FieldName, string>>;

interface Props {
  form: FormName;
  errors?: FieldErrors;
  /** What the fields hold at first. */
  values?: Partial<Record<FieldName, string>> | undefined;
  /** While the application is on its way. */
  disabled?: boolean;
}

/** A field's control in the page; of several to choose from, the first. */
export function fieldId(form: FormName, field: FieldName): string {
  return `${form}-${field}`;
}

const GRID = "grid gap-x-5 gap-y-5 sm:grid-cols-2";
const WIDE = "sm:col-span-2";

/** The ten fields of an application: in three groups on /contact, with asterisks in the dialog. */
export function ApplicationFields({ form, errors = {}, values = {}, disabled = false }: Props) {
  const inDialog = form === "dialog";
  const fields = fieldsOf(form, errors, values);
  return (
    <fieldset disabled={disabled} className="min-w-0">
      {inDialog ? (
        <div className={GRID}>
          {fields.person}
          {fields.schedule}
          {fields.car}
        </div>
      ) : (
        <>
          <Group title={applicationForm.groups.person}>{fields.person}</Group>
          <Group title={applicationForm.groups.schedule}>{fields.schedule}</Group>
          <Group title={applicationForm.groups.car}>{fields.car}</Group>
        </>
      )}
      {/* Last: the forms put the focus into their first input. */}
      <Honeypot />
    </fieldset>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="mt-8 min-w-0 border-asphalt-300 border-t pt-8 first:mt-0 first:border-t-0 first:pt-0">
      <legend className="float-left mb-5 w-full font-bold text-[1.1875rem] text-asphalt-900 leading-normal tracking-[-0.02em]">
        {title}
      </legend>
      <div className={`clear-both ${GRID}`}>{children}</div>
    </fieldset>
  );
}

function fieldsOf(form: FormName, errors: FieldErrors, values: NonNullable<Props["values"]>) {
  const frame = (name: FieldName) => ({
    id: fieldId(form, name),
    label: fieldCopy[name].label,
    mark: form === "dialog" ? ("asterisk" as const) : undefined,
    error: errors[name],
  });
  const ages = { min: AGE_MIN_YEARS, max: AGE_MAX_YEARS[form] };

  const person = (
    <>
      <Field {...frame("name")}>
        {(control) => (
          <input
            {...control}
            name="name"
            defaultValue={values.name}
            required
            maxLength={NAME_MAX_CHARACTERS}
            autoComplete="name"
            enterKeyHint="next"
            placeholder={fieldCopy.name.placeholder}
            className={CONTROL}
          />
        )}
      </Field>
      <Field {...frame("phone")}>
        {(control) => (
          <input
            {...control}
            type="tel"
            name="phone"
            defaultValue={values.phone}
            required
            inputMode="tel"
            autoComplete="tel"
            enterKeyHint="next"
            placeholder={fieldCopy.phone.placeholder}
            className={`${CONTROL} tabular`}
          />
        )}
      </Field>
      <ChoiceTiles
        {...frame("gender")}
        name="gender"
        options={GENDERS}
        chosen={values.gender}
        valueFor={({ label }) => label}
      />
      <Field {...frame("age")} hint={fill(fieldCopy.age.hint, ages)}>
        {(control) => (
          <input
            {...control}
            {...ages}
            type="number"
            name="age"
            defaultValue={values.age}
            required
            inputMode="numeric"
            autoComplete="off"
            enterKeyHint="next"
            placeholder={fieldCopy.age.placeholder}
            className={`${CONTROL} tabular [appearance:textfield] [&::-webkit-inner-spin-button]:appearance-none`}
          />
        )}
      </Field>
    </>
  );

  const schedule = (
    <>
      <RegionField {...frame("region")} value={values.region} />
      <DateField {...frame("preferredDate")} name="preferredDate" value={values.preferredDate} />
      <ChoiceTiles
        {...frame("dayType")}
        name="dayType"
        options={DAY_TYPES}
        chosen={values.dayType}
      />
      <ChoiceTiles
        {...frame("timeSlot")}
        name="timeSlot"
        options={TIME_SLOTS}
        chosen={values.timeSlot}
      />
    </>
  );

  const car = (
    <>
      <ChoiceTiles
        {...frame("carType")}
        name="carType"
        options={CAR_TYPES}
        chosen={values.carType}
        className={WIDE}
      />
      <Field {...frame("message")} mark="optional" className={WIDE}>
        {(control) => (
          <textarea
            {...control}
            name="message"
            defaultValue={values.message}
            rows={4}
            maxLength={MESSAGE_MAX_CHARACTERS}
            placeholder={fieldCopy.message.placeholder}
            className={`${CONTROL} resize-y`}
          />
        )}
      </Field>
    </>
  );

  return { person, schedule, car };
}
