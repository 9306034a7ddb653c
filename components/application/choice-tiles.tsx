import {
  controlAria,
  type FieldFrame,
  FieldLines,
  LABEL,
  LabelText,
} from "#components/application/field.tsx";
import { CheckIcon } from "#components/ui/icons.tsx";
import type { FieldName, Option } from "#lib/application/fields.ts";

/** One of a few options, as tiles. `valueFor` says what is sent for an option. */
export function ChoiceTiles({
  name,
  options,
  value: chosen,
  valueFor = ({ code }) => code,
  className,
  ...frame
}: FieldFrame & {
  name: FieldName;
  options: readonly Option[];
  value: string | undefined;
  valueFor?: (option: Option) => string;
  className?: string;
}) {
  const isRequired = frame.mark !== "optional";
  return (
    // Not a fieldset: only a group of radio buttons can be said to be wrong (`aria-invalid`).
    <div
      role="radiogroup"
      aria-labelledby={`${frame.id}-label`}
      aria-required={isRequired}
      className={`min-w-0 ${className ?? ""}`}
      {...controlAria(frame)}
    >
      <p id={`${frame.id}-label`} className={`mb-2 ${LABEL}`}>
        <LabelText label={frame.label} mark={frame.mark} />
      </p>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,4.25rem),1fr))] gap-2">
        {options.map((option, index) => (
          <label key={option.code} className="tile">
            <input
              id={index === 0 ? frame.id : undefined}
              type="radio"
              name={name}
              value={valueFor(option)}
              defaultChecked={chosen === option.code || chosen === option.label}
              required={isRequired}
              aria-invalid={frame.error !== undefined}
              className="peer sr-only"
            />
            <CheckIcon className="hidden size-5 peer-checked:block" />
            {option.label}
          </label>
        ))}
      </div>
      <FieldLines {...frame} />
    </div>
  );
}
