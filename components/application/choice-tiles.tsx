import {
  controlAria,
  type FieldFrame,
  FieldLines,
  LABEL,
  LabelText,
} from "#components/application/field.tsx";
import { CheckIcon } from "#components/ui/icons.tsx";
import type { FieldName, Option } from "#lib/application/fields.ts";

const TILE =
  "relative flex min-h-13 cursor-pointer items-center justify-center gap-1.5 rounded-m bg-white px-2 py-2 text-center font-[650] text-[1.0625rem] text-asphalt-900 leading-[1.3] transition-colors duration-colour";
const PLAIN = "border-[1.5px] border-asphalt-450 hover:border-asphalt-900";
const WRONG = "border-2 border-error-500";
const FOCUSED =
  "has-focus-visible:outline-3 has-focus-visible:outline-asphalt-900 has-focus-visible:outline-offset-3";
const SELECTED =
  "has-checked:border-2 has-checked:border-sign-700 has-checked:bg-sign-100 has-checked:font-[750] has-checked:text-sign-800";
const OFF =
  "has-disabled:cursor-default has-disabled:border-asphalt-300 has-disabled:bg-asphalt-100 has-disabled:text-asphalt-600 has-[:checked:disabled]:bg-asphalt-300 has-[:checked:disabled]:text-asphalt-900";

/** One of a few options, as tiles. `valueFor` says what is sent for an option. */
export function ChoiceTiles({
  name,
  options,
  chosen,
  valueFor = ({ code }) => code,
  className,
  ...frame
}: FieldFrame & {
  name: FieldName;
  options: readonly Option[];
  chosen: string | undefined;
  valueFor?: (option: Option) => string;
  className?: string;
}) {
  return (
    <fieldset className={`min-w-0 ${className ?? ""}`} {...controlAria(frame)}>
      <legend className={`mb-2 ${LABEL}`}>
        <LabelText label={frame.label} mark={frame.mark} />
      </legend>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,4.25rem),1fr))] gap-2">
        {options.map((option, index) => (
          <label
            key={option.code}
            className={`${TILE} ${FOCUSED} ${frame.error ? WRONG : PLAIN} ${SELECTED} ${OFF}`}
          >
            <input
              id={index === 0 ? frame.id : undefined}
              type="radio"
              name={name}
              value={valueFor(option)}
              defaultChecked={chosen === option.code || chosen === option.label}
              required
              className="peer sr-only"
            />
            <CheckIcon
              aria-hidden
              className="hidden size-5 shrink-0 peer-checked:block"
              strokeWidth={2.2}
            />
            {option.label}
          </label>
        ))}
      </div>
      <FieldLines {...frame} />
    </fieldset>
  );
}
