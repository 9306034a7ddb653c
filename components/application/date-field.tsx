"use client";

import { useEffect, useRef, useState } from "react";
import { CONTROL, Field, type FieldFrame } from "#components/application/field.tsx";
import { CalendarIcon } from "#components/ui/icons.tsx";
import { seoulDate } from "#lib/application/seoul-time.ts";
import { applicationForm } from "#lib/content/application-form.ts";

/** The browser's own date field under our icon; the whole field opens its calendar where there is one. */
const DATE =
  "appearance-none text-left text-[min(1.0625rem,5.6vw)] tabular invalid:text-placeholder [&::-webkit-calendar-picker-indicator]:absolute [&::-webkit-calendar-picker-indicator]:inset-y-0 [&::-webkit-calendar-picker-indicator]:right-0 [&::-webkit-calendar-picker-indicator]:h-full [&::-webkit-calendar-picker-indicator]:w-13 [&::-webkit-calendar-picker-indicator]:cursor-pointer [&::-webkit-calendar-picker-indicator]:opacity-0 [&::-webkit-date-and-time-value]:text-left";

/** Whether a chosen date (YYYY-MM-DD, empty for none) is over in Seoul. */
function isPast(date: string): boolean {
  return date !== "" && date < seoulDate(Date.now());
}

/** A date. One that is past in Seoul gets a quiet hint; it does not stop anybody. */
export function DateField({
  name,
  value,
  ...frame
}: FieldFrame & { name: string; value: string | undefined }) {
  const input = useRef<HTMLInputElement>(null);
  const [past, setPast] = useState(false);
  // A draft, a correction, and what was chosen before this script had come.
  useEffect(() => setPast(isPast(input.current?.value ?? "")), []);
  return (
    <Field {...frame} hint={past && applicationForm.pastDate}>
      {(control) => (
        <div className="@container relative">
          <input
            {...control}
            ref={input}
            type="date"
            name={name}
            defaultValue={value}
            required
            onChange={({ target }) => setPast(isPast(target.value))}
            className={`${CONTROL} ${DATE}`}
          />
          <CalendarIcon
            aria-hidden
            className="pointer-events-none absolute inset-y-0 right-4 my-auto hidden size-5 text-asphalt-600 @min-[11rem]:block"
            strokeWidth={1.9}
          />
        </div>
      )}
    </Field>
  );
}
