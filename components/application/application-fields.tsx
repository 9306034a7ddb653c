import type { ReactNode } from "react";
import { AgeField } from "#components/application/age-field.tsx";
import { ChoiceTiles } from "#components/application/choice-tiles.tsx";
import { DateField } from "#components/application/date-field.tsx";
import { Field } from "#components/application/field.tsx";
import { MessageField } from "#components/application/message-field.tsx";
import { RegionField } from "#components/application/region-field.tsx";
import {
  AGE_MAX_YEARS,
  AGE_MIN_YEARS,
  FIELD_NAMES,
  FIELDS,
  type FieldName,
  type FormName,
  factsOf,
  HONEYPOT_FIELD,
} from "#lib/application/fields.ts";
import { applicationForm } from "#lib/content/application-form.ts";

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

const GROUPS = ["person", "schedule", "car"] as const;

/** The fields of an application: in three groups on /contact, with asterisks in the dialog. */
export function ApplicationFields({ disabled = false, ...form }: Props) {
  const groups = GROUPS.map((group) => {
    const names = FIELD_NAMES.filter((name) => FIELDS[name].group === group);
    const fields = names.map((name) => <ApplicationField key={name} name={name} {...form} />);
    const title = applicationForm.groups[group];
    return form.form === "dialog" ? fields : <Group key={group} title={title} fields={fields} />;
  });
  return (
    <fieldset disabled={disabled} className="min-w-0">
      {form.form === "dialog" ? <div className="field-grid">{groups}</div> : groups}
      {/* For programs that fill in whatever they find; the attributes tell autofill to leave it alone. Last: the
          forms put the focus into their first input. */}
      <div aria-hidden className="absolute -left-[300rem] size-px overflow-hidden">
        <input
          type="text"
          name={HONEYPOT_FIELD}
          tabIndex={-1}
          autoComplete="off"
          data-1p-ignore
          data-lpignore="true"
          data-bwignore
        />
      </div>
    </fieldset>
  );
}

function Group({ title, fields }: { title: string; fields: ReactNode }) {
  return (
    <fieldset className="mt-8 min-w-0 border-asphalt-300 border-t pt-8 first:mt-0 first:border-t-0 first:pt-0">
      <legend className="float-left mb-5 w-full font-bold text-[1.1875rem] text-asphalt-900 leading-normal tracking-sign">
        {title}
      </legend>
      <div className="field-grid clear-both">{fields}</div>
    </fieldset>
  );
}

function ApplicationField({
  name,
  form,
  errors = {},
  values = {},
}: Props & { name: FieldName }): ReactNode {
  const { label, options, isOptional } = factsOf(name);
  const required = form === "dialog" ? ("asterisk" as const) : undefined;
  const frame = {
    id: fieldId(form, name),
    label,
    mark: isOptional ? ("optional" as const) : required,
    error: errors[name],
    value: values[name],
  };
  switch (name) {
    case "phone":
      return <TextField {...frame} name={name} type="tel" />;
    case "gender":
      return (
        <ChoiceTiles
          {...frame}
          name={name}
          options={FIELDS.gender.options}
          valueFor={({ label }) => label}
        />
      );
    case "age":
      return <AgeField {...frame} ages={{ min: AGE_MIN_YEARS, max: AGE_MAX_YEARS[form] }} />;
    case "region":
      return <RegionField {...frame} />;
    case "preferredDate":
      return <DateField {...frame} />;
    case "carType":
      return (
        <ChoiceTiles
          {...frame}
          name={name}
          options={FIELDS.carType.options}
          className="sm:col-span-2"
        />
      );
    case "message":
      return <MessageField {...frame} />;
    default:
      return options ? (
        <ChoiceTiles {...frame} name={name} options={options} />
      ) : (
        <TextField {...frame} name={name} />
      );
  }
}

function TextField({
  name,
  type,
  value,
  ...frame
}: Parameters<typeof RegionField>[0] & { name: FieldName; type?: "tel" }) {
  const { placeholder, isOptional = false } = factsOf(name);
  return (
    <Field {...frame}>
      {(control) => (
        <input
          {...control}
          type={type}
          name={name}
          defaultValue={value}
          required={!isOptional}
          inputMode={type}
          autoComplete={type ?? (name === "name" ? name : "off")}
          enterKeyHint="next"
          placeholder={placeholder}
          className={type ? "control tabular" : "control"}
        />
      )}
    </Field>
  );
}
