"use client";

import { type RefObject, useEffect, useState } from "react";
import type { FieldName } from "#lib/application/fields.ts";
import { fieldValue } from "#lib/browser/form-values.ts";

/** What a field of the form around `inside` holds, kept up to date. */
export function useFieldValue(inside: RefObject<HTMLElement | null>, field: FieldName): string {
  const [value, setValue] = useState("");
  useEffect(() => {
    const form = inside.current?.closest("form");
    if (!form) return;
    const abort = new AbortController();
    const { signal } = abort;
    const look = () => setValue(fieldValue(form, field));
    // What was there before this script: a draft, a correction, what Back restored.
    look();
    form.addEventListener("input", look, { signal });
    // During the event the fields still hold their old values.
    form.addEventListener("reset", () => setTimeout(look), { signal });
    addEventListener("pageshow", look, { signal });
    return () => abort.abort();
  }, [inside, field]);
  return value;
}
