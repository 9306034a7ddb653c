"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";

const FORM_PAGE = "/contact";
const FORM_ID = "application-form";

/** The bar's third cell: to the application page, or on that page to the form itself. */
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
    <a href={onFormPage ? `#${FORM_ID}` : FORM_PAGE} className={className}>
      {icon}
      {onFormPage ? toForm : apply}
    </a>
  );
}
