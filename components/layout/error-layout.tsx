import type { ReactNode } from "react";
import { Copy } from "#components/ui/copy.tsx";

interface ErrorLayoutProps {
  title: string;
  lead: string;
  actions: ReactNode;
  children: ReactNode;
}

/** An explanation at the left; at the right a road sign, whose posts reach down to the footer. */
export function ErrorLayout({ title, lead, actions, children }: ErrorLayoutProps) {
  return (
    <main className="page-width grid grow grid-cols-1 gap-x-6 gap-y-10 pt-10 md:pt-16 lg:grid-cols-2 lg:items-end lg:pt-24">
      <div className="lg:self-center lg:pb-32">
        <h1 tabIndex={-1} className="type-h1 text-asphalt-900 outline-none">
          <Copy text={title} />
        </h1>
        <Copy as="p" className="type-lead mt-4 max-w-[30rem] text-asphalt-600" text={lead} />
        <div className="mt-6 flex flex-col gap-2.5 sm:flex-row sm:flex-wrap">{actions}</div>
      </div>
      {children}
    </main>
  );
}
