"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { frame } from "#lib/content/layout.ts";

const FORM_PAGE = "/contact";
const FORM_ID = "application-form";

/** The bar's third cell: to the application page, or on that page to the form itself. */
export function ApplyCell({ className, icon }: { className: string; icon: ReactNode }) {
  const onFormPage = usePathname() === FORM_PAGE;
  return (
    <a href={onFormPage ? `#${FORM_ID}` : FORM_PAGE} className={className}>
      {icon}
      {onFormPage ? frame.bottom.toForm : frame.bottom.apply}
    </a>
  );
}
