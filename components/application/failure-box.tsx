import type { ReactNode, Ref } from "react";
import { Copy } from "#components/ui/copy.tsx";
import { CircleAlertIcon } from "#components/ui/icons.tsx";

/** What went wrong, announced at once, with the ways that are left. */
export function FailureBox({
  title,
  children,
  links = [],
  details,
  id,
  ref,
}: {
  title: string;
  children: ReactNode;
  links?: readonly { label: string; href: string }[];
  /** To be read after the links. */
  details?: ReactNode;
  /** Where an address leads the focus to. */
  id?: string;
  ref?: Ref<HTMLDivElement> | undefined;
}) {
  return (
    <div
      id={id}
      ref={ref}
      role="alert"
      tabIndex={-1}
      className="flex scroll-mt-24 scroll-mb-5 gap-3 rounded-l border border-error-500 bg-error-50 px-4 py-4 sm:px-5"
    >
      <CircleAlertIcon className="mt-0.5 size-5 text-error-600" />
      <div className="min-w-0 text-asphalt-900 type-small">
        <p className="font-bold text-[1.0625rem] text-error-600">
          <Copy text={title} />
        </p>
        {children}
        {links.length > 0 && (
          <p className="flex flex-wrap gap-x-5">
            {links.map(({ label, href }) => (
              <a key={href} href={href} className="notice-link">
                {label}
              </a>
            ))}
          </p>
        )}
        {details}
      </div>
    </div>
  );
}
