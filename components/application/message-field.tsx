"use client";

import { useEffect, useState } from "react";
import { Field, type FieldProps } from "#components/application/field.tsx";
import { CheckIcon, PlusIcon } from "#components/ui/icons.tsx";
import { PageText } from "#components/ui/page-text.tsx";
import { FIELDS } from "#lib/application/fields.ts";
import { countCharacters } from "#lib/application/text.ts";
import { hasWish, withoutCarWish, withoutWish, withWish } from "#lib/browser/message-wishes.ts";
import { applicationFormTexts, fieldHints } from "#lib/content/application-form.ts";
import { fillPlaceholders } from "#lib/content/text-notation.ts";
import { wishes } from "#lib/content/wishes.ts";

const MAX_CHARACTERS = FIELDS.message.maxCharacters;
/** The counter appears when this many characters are left. */
const NEAR_LIMIT_CHARACTERS = 100;

/** A text over the limit gets an error and is not cut. */
export function MessageField(field: FieldProps) {
  const { edit, typed } = field;
  const { message = "", carType } = typed;
  const length = countCharacters(message);
  // Near the limit, a screen reader announces what is left only after every twentieth character.
  const step = Math.ceil(length / 20);
  const [announced, announce] = useState({ step, hint: "" });
  if (step !== announced.step) announce({ step, hint: lengthHint(length) });

  const toggle = (words: string) =>
    edit("message", (text) => (hasWish(text, words) ? withoutWish : withWish)(text, words));

  // A visitor who learns in their own car needs no car of the academy.
  useEffect(() => {
    if (carType === "own") edit("message", withoutCarWish);
  }, [carType, edit]);

  return (
    <div className="min-w-0 sm:col-span-2">
      <fieldset className="wishes">
        <legend className="mb-2 text-asphalt-600 type-helper">
          <PageText text={applicationFormTexts.wishes} />
        </legend>
        <div className="flex flex-wrap gap-2">
          {wishes
            .filter(({ car }) => car === undefined || carType === "training")
            .map((wish) => (
              <button
                key={wish.words}
                type="button"
                aria-pressed={hasWish(message, wish.words)}
                onClick={() => toggle(wish.words)}
                className="chip group"
              >
                {/* Both icons have the same width, so that no chip moves under the finger. */}
                <PlusIcon className="size-4.5 group-aria-pressed:hidden" />
                <CheckIcon className="hidden size-4.5 group-aria-pressed:block" />
                {wish.label}
              </button>
            ))}
        </div>
      </fieldset>
      <Field {...field} hint={!field.error && lengthHint(length)} announced={announced.hint}>
        {(control) => <textarea {...control} rows={4} className="control resize-y" />}
      </Field>
    </div>
  );
}

function lengthHint(length: number): string {
  const left = MAX_CHARACTERS - length;
  if (left > NEAR_LIMIT_CHARACTERS) return "";
  return left >= 0
    ? fillPlaceholders(fieldHints.message.near, { left })
    : fillPlaceholders(fieldHints.message.beyond, {
        max: MAX_CHARACTERS.toLocaleString("ko-KR"),
        over: (-left).toLocaleString("ko-KR"),
      });
}
