"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { FORM_ID, FORM_PAGE, formHref } from "#lib/content/links.ts";

/** The bar's third cell: to the form, on its own page without loading that anew. */
export function ApplyCell({
  className,
  icon,
  apply,
  toForm,
}: {
  className: string;
  icon: ReactNode;
  apply: string;
  toForm: string;
}) {
  const onFormPage = usePathname() === FORM_PAGE;
  return (
    <a href={onFormPage ? `#${FORM_ID}` : formHref} className={className}>
      {icon}
      {onFormPage ? toForm : apply}
    </a>
  );
}
