import type { ComponentProps } from "react";
import { fieldId } from "#components/application/field.tsx";
import { CheckIcon, CircleAlertIcon, WifiOffIcon } from "#components/ui/icons.tsx";
import { PageText } from "#components/ui/page-text.tsx";
import type { FormName } from "#lib/application/fields.ts";
import { type ErrorMessages, invalidFields } from "#lib/browser/form-errors.ts";
import { detailsLabels } from "#lib/content/application-result.ts";

/** The names are also classes beside `.notice-box` of app/result.css. */
const ICONS = { kept: WifiOffIcon, refused: CircleAlertIcon, received: CheckIcon };

export function NoticeBox({
  state,
  className = "",
  children,
  ...rest
}: ComponentProps<"section"> & { state: keyof typeof ICONS }) {
  const Icon = ICONS[state];
  return (
    <section {...rest} className={`notice-box ${state} ${className}`}>
      <Icon />
      <div className="min-w-0 flex-1">{children}</div>
    </section>
  );
}

export function NoticeBoxTitle({ text }: { text: string }) {
  return <PageText as="p" className="text-balance font-strong" text={text} />;
}

export function NoticeBoxDetails({ className = "", children, ...rest }: ComponentProps<"details">) {
  return (
    <details {...rest} className={`group ${className}`}>
      <summary className="action-link cursor-pointer">
        <span className="group-open:hidden">{detailsLabels.open}</span>
        <span className="hidden group-open:inline">{detailsLabels.close}</span>
      </summary>
      {children}
    </details>
  );
}

export function InvalidFields({ errors, form }: { errors: ErrorMessages; form?: FormName }) {
  return (
    <ul className="type-small">
      {invalidFields(errors).map((field) => (
        <li key={`${field} ${errors[field]}`}>
          {form ? (
            <a href={`#${fieldId(form, field)}`} className="action-link text-error-600">
              {errors[field]}
            </a>
          ) : (
            errors[field]
          )}
        </li>
      ))}
    </ul>
  );
}
