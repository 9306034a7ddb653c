import { Field, type FieldFrame } from "#components/application/field.tsx";
import { ChevronDownIcon } from "#components/ui/icons.tsx";
import { FIELDS } from "#lib/application/fields.ts";
import { hints } from "#lib/content/application-form.ts";
import { asTopic, fill } from "#lib/content/copy.ts";
import { formRegions, regions } from "#lib/content/regions.ts";

const missing = regions.filter((region) => !region.inForm).map((region) => region.name);

/** The regions that an application may name, and a word about those that it may not. */
export function RegionField({
  value,
  ...frame
}: Omit<FieldFrame, "hint"> & { value: string | undefined }) {
  const hint = missing.length > 0 && fill(hints.region, { missing: asTopic(missing.join(", ")) });
  return (
    <Field {...frame} hint={hint}>
      {(control) => (
        <div className="relative">
          <select
            {...control}
            name="region"
            defaultValue={value ?? ""}
            required
            className="control appearance-none pr-12 invalid:text-placeholder"
          >
            <option value="">{FIELDS.region.placeholder}</option>
            {formRegions.map((region) => (
              <option key={region} value={region} className="text-asphalt-900">
                {region}
              </option>
            ))}
          </select>
          <ChevronDownIcon className="pointer-events-none absolute inset-y-0 right-4 my-auto size-5 text-asphalt-600" />
        </div>
      )}
    </Field>
  );
}
