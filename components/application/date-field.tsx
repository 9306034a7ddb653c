"use client";

import { useEffect, useRef } from "react";
import { Field, type FieldProps } from "#components/application/field.tsx";
import { CalendarIcon } from "#components/ui/icons.tsx";
import {
  isCalendarDate,
  koreanDate,
  koreanWeekday,
  seoulDate,
  toDayType,
} from "#lib/application/seoul-time.ts";
import { applicationFormTexts } from "#lib/content/application-form.ts";
import { fillPlaceholders } from "#lib/content/text-notation.ts";

/** The date sets the type of day, unless the visitor has chosen one. A past or unfitting date only gets a hint. */
export function DateField(field: FieldProps) {
  const { edit, typed } = field;
  const { preferredDate: date = "", dayType = "" } = typed;
  const isDate = isCalendarDate(date);
  const hint = isDate ? composeHint(date, dayType) : "";
  /** The type of day (weekday or weekend) that the last date has set. */
  const dayTypeOfDate = useRef("");

  useEffect(() => {
    if (!isCalendarDate(date)) return;
    edit("dayType", (chosen) => {
      if (chosen !== dayTypeOfDate.current) return chosen;
      dayTypeOfDate.current = toDayType(date);
      return dayTypeOfDate.current;
    });
  }, [date, edit]);

  return (
    <Field {...field} hint={hint} announced={hint}>
      {({ placeholder, ...control }) => (
        <div className="@container relative">
          {/* Chromium would accept years of six digits without `max`. */}
          <input {...control} type="date" max="9999-12-31" className="control control-date" />
          <span aria-hidden className="date-words">
            {placeholder}
          </span>
          {isDate && (
            <span className="date-weekday">
              {fillPlaceholders(applicationFormTexts.weekday, { weekday: koreanWeekday(date) })}
            </span>
          )}
          <CalendarIcon className="date-icon" />
        </div>
      )}
    </Field>
  );
}

function composeHint(date: string, dayType: string): string {
  const hints = [];
  if (date < seoulDate(Date.now())) hints.push(applicationFormTexts.pastDate);
  if (dayType !== "" && dayType !== toDayType(date))
    hints.push(
      fillPlaceholders(applicationFormTexts.otherDay, {
        date: koreanDate(date),
        weekday: koreanWeekday(date),
      }),
    );
  return hints.join(" ");
}
