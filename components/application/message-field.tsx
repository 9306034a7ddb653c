"use client";

import { useRef } from "react";
import { Field, type FieldFrame } from "#components/application/field.tsx";
import { useFieldValue } from "#components/application/use-field-value.ts";
import { WishChips } from "#components/application/wish-chips.tsx";
import { FIELDS } from "#lib/application/fields.ts";
import { countCharacters } from "#lib/application/text.ts";
import { hints } from "#lib/content/application-form.ts";
import { fill } from "#lib/content/copy.ts";

const MAX = FIELDS.message.maxCharacters;
/** When this many characters are left, or fewer, the visitor is told how many. */
const NEAR_LIMIT_CHARACTERS = 100;
const grouped = new Intl.NumberFormat("ko-KR");

/** The message, with wishes at a tap above it. Nothing that is pasted is cut off in silence. */
export function MessageField({
  value,
  ...frame
}: Omit<FieldFrame, "hint"> & { value: string | undefined }) {
  const textarea = useRef<HTMLTextAreaElement>(null);
  const length = countCharacters(useFieldValue(textarea, "message"));
  const hint = frame.error === undefined && lengthHint(length);
  // Not at every key: at every twenty characters.
  const announced = lengthHint(Math.ceil(length / 20) * 20) ?? "";
  return (
    <div className="min-w-0 sm:col-span-2">
      <WishChips />
      <Field {...frame} hint={hint} announced={announced}>
        {(control) => (
          <textarea
            {...control}
            ref={textarea}
            name="message"
            defaultValue={value}
            rows={4}
            placeholder={FIELDS.message.placeholder}
            className="control resize-y"
          />
        )}
      </Field>
    </div>
  );
}

function lengthHint(length: number): string | undefined {
  const left = MAX - length;
  if (left > NEAR_LIMIT_CHARACTERS) return undefined;
  const { near, beyond } = hints.message;
  return left >= 0
    ? fill(near, { left })
    : fill(beyond, { max: grouped.format(MAX), over: grouped.format(-left) });
}
