import { type ErrorMessages, fieldId } from "#components/application/application-fields.tsx";
import { FIELD_NAMES, type FormName } from "#lib/application/fields.ts";
import { fieldCopy } from "#lib/content/application-form.ts";

const TO_FIELD =
  "inline-flex min-h-11 items-center font-strong text-error-600 underline underline-offset-4 hover:decoration-2";

/** The wrong fields of a form, in its order, each as a link to it. */
export function WrongFields({ form, errors }: { form: FormName; errors: ErrorMessages }) {
  const wrong = FIELD_NAMES.filter((field) => errors[field] !== undefined);
  return (
    <ul>
      {wrong.map((field) => (
        <li key={field}>
          <a href={`#${fieldId(form, field)}`} className={TO_FIELD}>
            {fieldCopy[field].label}: {errors[field]}
          </a>
        </li>
      ))}
    </ul>
  );
}
