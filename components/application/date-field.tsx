"use client";

import { type RefObject, useEffect, useRef } from "react";
import { Field, type FieldFrame } from "#components/application/field.tsx";
import { useFieldValue } from "#components/application/use-field-value.ts";
import { CalendarIcon } from "#components/ui/icons.tsx";
import { FIELDS } from "#lib/application/fields.ts";
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
export function DateField({ value, ...frame }: FieldFrame & { value: string | undefined }) {
  const input = useRef<HTMLInputElement>(null);
  const date = useFieldValue(input, "preferredDate");
  const dayType = useFieldValue(input, "dayType");
  const known = isCalendarDate(date);
  const hint = known ? hintOf(date, dayType) : "";
  useDayFromDate(input);
  return (
    <Field {...frame} hint={hint} announced={hint}>
      {(control) => (
        <div className="@container relative">
          <input
            {...control}
            ref={input}
            type="date"
            name="preferredDate"
            defaultValue={value}
            required
            className="control control-date"
          />
          <span aria-hidden className="date-words">
            {FIELDS.preferredDate.placeholder}
          </span>
          {known && (
            <span className="date-weekday">
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

/** 평일 or 주말 follows the date, until the visitor has chosen one. */
function useDayFromDate(input: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const form = input.current?.form;
    if (!form) return;
    let chosen = fieldValue(form, "dayType") !== "";
    const abort = new AbortController();
    form.addEventListener(
      "input",
      ({ target, isTrusted }) => {
        // A draft was put into the form.
        if (target === form) chosen = fieldValue(form, "dayType") !== "";
        if (!(target instanceof HTMLInputElement)) return;
        if (target.name === "dayType" && isTrusted) chosen = true;
        if (target.name === "preferredDate" && !chosen && isCalendarDate(target.value))
          enterValue(form, "dayType", dayTypeOf(target.value));
      },
      { signal: abort.signal },
    );
    form.addEventListener(
      "reset",
      () => {
        chosen = false;
      },
      { signal: abort.signal },
    );
    return () => abort.abort();
  }, [input]);
}
