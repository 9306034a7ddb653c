"use client";

import { useEffect } from "react";
import { Field, type FieldProps } from "#components/application/field.tsx";
import { Copy } from "#components/ui/copy.tsx";
import { CheckIcon, PlusIcon } from "#components/ui/icons.tsx";
import { FIELDS } from "#lib/application/fields.ts";
import { hasWish, withoutWish, withWish } from "#lib/application/message-wishes.ts";
import { countCharacters } from "#lib/application/text.ts";
import { applicationForm, hints } from "#lib/content/application-form.ts";
import { fill } from "#lib/content/copy.ts";
import { type Wish, wishes } from "#lib/content/wishes.ts";

const MAX = FIELDS.message.maxCharacters;
/** The count of characters left shows from this many downwards. */
const NEAR_LIMIT_CHARACTERS = 100;
/** For one of the trainer's cars. */
const CAR_WISHES = wishes.filter(({ car }) => car !== undefined).map(({ words }) => words);

/** The message, with wishes at a tap. Nothing that is pasted is cut off in silence. */
export function MessageField(field: FieldProps) {
  const { edit, typed } = field;
  const { message = "", carType } = typed;
  const length = countCharacters(message);
  // Not at every key: at every twenty characters.
  const announced = lengthHint(Math.ceil(length / 20) * 20);

  function toggle({ words, car }: Wish) {
    edit("message", (text) => {
      if (hasWish(text, words)) return withoutWish(text, words);
      // Nobody learns in two cars at once.
      return withWish(car === undefined ? text : CAR_WISHES.reduce(withoutWish, text), words);
    });
  }

  // A visitor who chooses their own car takes back the wish for one of the trainer's.
  useEffect(() => {
    if (carType === "own") edit("message", (text) => CAR_WISHES.reduce(withoutWish, text));
  }, [carType, edit]);

  return (
    <div className="min-w-0 sm:col-span-2">
      {/* Without script there is nothing to press: the message itself says what it is for. */}
      <fieldset className="mb-4 min-w-0 noscript:hidden">
        <legend className="mb-2 text-asphalt-600 type-helper">
          <Copy text={applicationForm.wishes} />
        </legend>
        <div className="flex flex-wrap gap-2">
          {wishes
            .filter(({ car }) => car === undefined || carType === "training")
            .map((wish) => (
              <button
                key={wish.words}
                type="button"
                aria-pressed={hasWish(message, wish.words)}
                onClick={() => toggle(wish)}
                className="chip group"
              >
                {/* Of one width, so that no chip moves under the finger. */}
                <PlusIcon className="size-4.5 group-aria-pressed:hidden" />
                <CheckIcon className="hidden size-4.5 group-aria-pressed:block" />
                {wish.label}
              </button>
            ))}
        </div>
      </fieldset>
      <Field {...field} hint={!field.error && lengthHint(length)} announced={announced}>
        {(control) => <textarea {...control} rows={4} className="control resize-y" />}
      </Field>
    </div>
  );
}

function lengthHint(length: number): string {
  const left = MAX - length;
  if (left > NEAR_LIMIT_CHARACTERS) return "";
  return left >= 0
    ? fill(hints.message.near, { left })
    : fill(hints.message.beyond, {
        max: MAX.toLocaleString("ko-KR"),
        over: (-left).toLocaleString("ko-KR"),
      });
}
