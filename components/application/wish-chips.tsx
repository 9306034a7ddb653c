"use client";

import { useEffect, useRef } from "react";
import { useFieldValue } from "#components/application/use-field-value.ts";
import { Copy } from "#components/ui/copy.tsx";
import { CheckIcon } from "#components/ui/icons.tsx";
import { hasWish, withoutWish, withWish } from "#lib/application/wishes.ts";
import { enterValue, fieldValue } from "#lib/browser/form-field.ts";
import { applicationForm } from "#lib/content/application-form.ts";
import { wishes } from "#lib/content/wishes.ts";

/** Wishes at a tap. Without script there is nothing to press: the message itself says what it is for. */
export function WishChips() {
  const group = useRef<HTMLFieldSetElement>(null);
  const message = useFieldValue(group, "message");
  const carType = useFieldValue(group, "carType");

  function toggle(words: string) {
    const form = group.current?.form;
    if (!form) return;
    const now = fieldValue(form, "message");
    enterValue(
      form,
      "message",
      hasWish(now, words) ? withoutWish(now, words) : withWish(now, words),
    );
  }

  // Who chooses the own car takes back the wish for one of the trainer's.
  useEffect(() => {
    const form = group.current?.form;
    if (carType !== "own" || !form) return;
    const carWishes = wishes.filter(({ car }) => car !== undefined).map(({ words }) => words);
    enterValue(form, "message", carWishes.reduce(withoutWish, fieldValue(form, "message")));
  }, [carType]);

  return (
    <fieldset ref={group} className="mb-4 min-w-0 noscript:hidden">
      <legend className="mb-2 text-asphalt-600 type-helper">
        <Copy text={applicationForm.wishes} />
      </legend>
      <div className="flex flex-wrap gap-2">
        {wishes
          .filter(({ car }) => car === undefined || carType === "training")
          .map(({ label, words }) => (
            <button
              key={words}
              type="button"
              aria-pressed={hasWish(message, words)}
              onClick={() => toggle(words)}
              className="chip group"
            >
              <CheckIcon className="hidden size-4.5 group-aria-pressed:block" />
              {label}
            </button>
          ))}
      </div>
    </fieldset>
  );
}
