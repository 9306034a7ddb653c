import type { ReactNode } from "react";
import { AgeField } from "#components/application/age-field.tsx";
import { ChoiceTiles } from "#components/application/choice-tiles.tsx";
import { DateField } from "#components/application/date-field.tsx";
import { Field } from "#components/application/field.tsx";
import { Honeypot } from "#components/application/honeypot.tsx";
import { MessageField } from "#components/application/message-field.tsx";
import { RegionField } from "#components/application/region-field.tsx";
import {
  AGE_MAX_YEARS,
  AGE_MIN_YEARS,
  CAR_TYPES,
  DAY_TYPES,
  type FieldName,
  type FormName,
  GENDERS,
  TIME_SLOTS,
} from "#lib/application/fields.ts";
import { applicationForm, fieldCopy } from "#lib/content/application-form.ts";

/** The sentence under each wrong field. */
export type ErrorMessages = Partial<Record<FieldName, string>>;

interface Props {
  form: FormName;
  errors?: ErrorMessages;
  /** What the fields hold at first. */
  values?: Partial<Record<FieldName, string>> | undefined;
  /** While the application is on its way. */
  disabled?: boolean;
}

/** The id of a field's control; of radio buttons, the first one's. */
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
      <legend className="float-left mb-5 w-full font-bold text-[1.1875rem] text-asphalt-900 leading-normal tracking-sign">
        {title}
      </legend>
      <div className={`clear-both ${GRID}`}>{children}</div>
    </fieldset>
  );
}

function fieldsOf(form: FormName, errors: ErrorMessages, values: NonNullable<Props["values"]>) {
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
            autoComplete="name"
            enterKeyHint="next"
            placeholder={fieldCopy.name.placeholder}
            className="control"
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
            className="control tabular"
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
      <AgeField {...frame("age")} ages={ages} value={values.age} />
    </>
  );

  const schedule = (
    <>
      <RegionField {...frame("region")} value={values.region} />
      <DateField {...frame("preferredDate")} value={values.preferredDate} />
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
      <MessageField {...frame("message")} value={values.message} />
    </>
  );

  return { person, schedule, car };
}
