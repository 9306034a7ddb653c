import type { ReactNode } from "react";
import { PageText } from "#components/ui/page-text.tsx";

interface ErrorLayoutProps {
  title: string;
  lead: string;
  actions: ReactNode;
  children: ReactNode;
}

/** An explanation at the left; at the right a road sign, whose posts reach down to the footer. */
export function ErrorLayout({ title, lead, actions, children }: ErrorLayoutProps) {
  return (
    <main className="page-width error-page">
      <div>
        <h1 tabIndex={-1} className="type-h1">
          <PageText text={title} />
        </h1>
        <PageText as="p" className="type-lead" text={lead} />
        <div className="error-actions">{actions}</div>
      </div>
      {children}
    </main>
  );
}
