"use client";

import { useEffect, useRef } from "react";
import { Field, type FieldProps } from "#components/application/field.tsx";
import { useFieldValue } from "#components/application/use-field-value.ts";
import { CalendarIcon } from "#components/ui/icons.tsx";
import {
  dayTypeOf,
  isCalendarDate,
  koreanDate,
  seoulDate,
  weekday,
} from "#lib/application/seoul-time.ts";
import { enterValue, fieldValue } from "#lib/browser/form-values.ts";
import { applicationForm } from "#lib/content/application-form.ts";
import { fill } from "#lib/content/copy.ts";

/**
 * A date with its weekday. It chooses the kind of day too, as long as the visitor has not. A date that is
 * past, or of another kind, gets a hint and is accepted.
 */
export function DateField(field: FieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const date = useFieldValue(input, "preferredDate");
  const dayType = useFieldValue(input, "dayType");
  const known = isCalendarDate(date);
  const hint = known ? hintOf(date, dayType) : "";
  /** The kind of day that the date has chosen. */
  const followed = useRef("");

  useEffect(() => {
    const form = input.current?.form;
    if (!form || !isCalendarDate(date) || fieldValue(form, "dayType") !== followed.current) return;
    followed.current = dayTypeOf(date);
    enterValue(form, "dayType", followed.current);
  }, [date]);

  return (
    <Field {...field} hint={hint} announced={hint}>
      {({ placeholder, ...control }) => (
        <div className="@container relative">
          <input {...control} ref={input} type="date" className="control control-date" />
          <span aria-hidden className="date-words">
            {placeholder}
          </span>
          {known && (
            <span className="pointer-events-none absolute inset-y-0 right-11 my-auto hidden h-fit text-asphalt-600 text-small @min-[14rem]:block">
              {fill(applicationForm.weekday, { weekday: weekday(date) })}
            </span>
          )}
          <CalendarIcon className="date-icon" />
        </div>
      )}
    </Field>
  );
}

function hintOf(date: string, dayType: string): string {
  const hints = [];
  if (date < seoulDate(Date.now())) hints.push(applicationForm.pastDate);
  if (dayType !== "" && dayType !== dayTypeOf(date))
    hints.push(fill(applicationForm.otherDay, { date: koreanDate(date), weekday: weekday(date) }));
  return hints.join(" ");
}
