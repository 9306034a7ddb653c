"use client";

import { useEffect, useLayoutEffect, useState } from "react";
import { useRecords } from "#components/notices/use-records.ts";
import type { FormName } from "#lib/application/fields.ts";
import { FormRecord } from "#lib/browser/form-record.ts";

/** The record of a form, and the previous one while its result is on show. */
export function useFormRecord(form: FormName, isOpen: boolean) {
  const [record, setRecord] = useState(() => new FormRecord(form));
  const [told, setTold] = useState<FormRecord>();
  useRecords();
  const { end } = record;

  useLayoutEffect(() => {
    if (!end) return;
    if (end === "told") setTold(record);
    setRecord(new FormRecord(form));
  }, [end, record, form]);

  useEffect(() => {
    const enter = () => record.at(isOpen);
    const leave = () => record.at(false);
    enter();
    told?.at(true);
    addEventListener("pageshow", enter);
    addEventListener("pagehide", leave);
    return () => {
      removeEventListener("pageshow", enter);
      removeEventListener("pagehide", leave);
      leave();
      told?.at(false);
    };
  }, [record, told, isOpen]);

  function forget() {
    // Its notice is there when the panel or the toast goes: nothing is announced that they have told.
    told?.at(false);
    setTold(undefined);
  }
  return { record, told, forget };
}
