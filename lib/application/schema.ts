/** Validation of a submitted form: each field by its rule. */
import { z } from "zod";
import {
  type Application,
  FIELD_NAMES,
  type FieldName,
  type FormName,
} from "#lib/application/fields.ts";
import { checkField } from "#lib/application/rules.ts";

/** The sentence of each wrong field, in an array as the response carries it. */
export type FieldErrors = Partial<Record<FieldName, string[]>>;

export type ParsedApplication =
  | { ok: true; application: Application }
  | { ok: false; errors: FieldErrors };

/** A body that is no object counts as an application without any field. */
const sentFields = z.record(z.string(), z.unknown()).catch({});

/** An unknown value → an application, or the Korean sentence of each wrong field. Never echoes the input. */
export function parseApplication(form: FormName, value: unknown): ParsedApplication {
  const sent = sentFields.parse(value);
  const errors: FieldErrors = {};
  const application: Partial<Record<FieldName, string | number>> = {};
  for (const field of FIELD_NAMES) {
    const checked = checkField(form, field, sent[field]);
    if (checked.problem === undefined) application[field] = checked.value;
    else errors[field] = [checked.problem];
  }
  if (Object.keys(errors).length > 0) return { ok: false, errors };
  // Every field is there, by its own rule.
  return { ok: true, application: application as Application };
}
