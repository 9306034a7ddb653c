"use client";

import { useEffect, useRef } from "react";
import { useFieldValue } from "#components/application/use-field-value.ts";
import { Copy } from "#components/ui/copy.tsx";
import { CheckIcon, PlusIcon } from "#components/ui/icons.tsx";
import { hasWish, withoutWish, withWish } from "#lib/application/wishes.ts";
import { enterValue, fieldValue } from "#lib/browser/form-values.ts";
import { applicationForm } from "#lib/content/application-form.ts";
import { type Wish, wishes } from "#lib/content/wishes.ts";

/** For one of the trainer's cars. */
const CAR_WISHES = wishes.filter(({ car }) => car !== undefined).map(({ words }) => words);

/** Wishes at a tap. Without script there is nothing to press: the message itself says what it is for. */
export function WishChips() {
  const group = useRef<HTMLFieldSetElement>(null);
  const message = useFieldValue(group, "message");
  const carType = useFieldValue(group, "carType");

  function toggle({ words, car }: Wish) {
    const form = group.current?.form;
    if (!form) return;
    const now = fieldValue(form, "message");
    if (hasWish(now, words)) return enterValue(form, "message", withoutWish(now, words));
    // Nobody learns in two cars at once.
    const free = car === undefined ? now : CAR_WISHES.reduce(withoutWish, now);
    enterValue(form, "message", withWish(free, words));
  }

  // A visitor who chooses their own car takes back the wish for one of the trainer's.
  useEffect(() => {
    const form = group.current?.form;
    if (carType !== "own" || !form) return;
    enterValue(form, "message", CAR_WISHES.reduce(withoutWish, fieldValue(form, "message")));
  }, [carType]);

  return (
    <fieldset ref={group} className="mb-4 min-w-0 noscript:hidden">
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
  );
}
