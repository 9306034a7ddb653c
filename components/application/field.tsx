import type { ReactNode } from "react";
import { CircleAlertIcon } from "#components/ui/icons.tsx";
import { applicationForm } from "#lib/content/application-form.ts";

export const LABEL = "font-strong text-small text-asphalt-900 leading-normal";

/** How a field's label is marked: with an asterisk, with (선택), or not at all. */
type Mark = "asterisk" | "optional" | undefined;

export interface FieldFrame {
  id: string;
  label: string;
  mark: Mark;
  hint?: ReactNode;
  /** Of the hint, what a screen reader says when it changes. */
  announced?: string | undefined;
  error: string | undefined;
}

/** What ties a control to its hint and its error. */
export interface ControlAria {
  "aria-describedby": string | undefined;
  "aria-invalid": boolean;
}

export function controlAria({ id, hint, error }: Pick<FieldFrame, "id" | "hint" | "error">) {
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ");
  return {
    "aria-describedby": described || undefined,
    // Said of every field: browsers call an empty required one invalid before anybody has checked it.
    "aria-invalid": error !== undefined,
  } satisfies ControlAria;
}

export function LabelText({ label, mark }: Pick<FieldFrame, "label" | "mark">) {
  return (
    <>
      {label}
      {mark === "asterisk" && (
        <span aria-hidden className="ml-0.5 text-error-600">
          *
        </span>
      )}
      {mark === "optional" && (
        <span className="ml-1 font-normal text-asphalt-600">{applicationForm.optional}</span>
      )}
    </>
  );
}

/** The lines under a control: what is wrong with it, and what helps. */
export function FieldLines({
  id,
  hint,
  announced,
  error,
}: Pick<FieldFrame, "id" | "hint" | "announced" | "error">) {
  return (
    <>
      {error && (
        <p
          id={`${id}-error`}
          className="mt-2 flex items-start gap-1.5 font-semibold text-error-600 type-helper"
        >
          <CircleAlertIcon className="mt-[0.2em] size-4" />
          <span className="min-w-0">{error}</span>
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="mt-1.5 text-asphalt-600 type-helper">
          {hint}
        </p>
      )}
      {announced !== undefined && (
        <span role="status" className="sr-only">
          {announced}
        </span>
      )}
    </>
  );
}

/** A labelled control with its hint and its error. The control gets its id and its aria from here. */
export function Field({
  children,
  className,
  ...frame
}: FieldFrame & {
  className?: string;
  children: (control: { id: string } & ControlAria) => ReactNode;
}) {
  return (
    <div className={`min-w-0 ${className ?? ""}`}>
      <label htmlFor={frame.id} className={`mb-2 block ${LABEL}`}>
        <LabelText label={frame.label} mark={frame.mark} />
      </label>
      {children({ id: frame.id, ...controlAria(frame) })}
      <FieldLines {...frame} />
    </div>
  );
}
