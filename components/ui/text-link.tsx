import type { ComponentProps } from "react";
import type { Icon } from "#components/ui/line-icon.tsx";
import { ArrowRightIcon } from "#components/ui/page-icons.tsx";

/** A link in running green with its arrow; the line thickens under the pointer. */
export function TextLink({
  icon: Icon,
  className = "",
  children,
  ...rest
}: ComponentProps<"a"> & { icon?: Icon }) {
  return (
    <a
      {...rest}
      className={`group inline-flex min-h-11 items-center gap-2 font-[650] text-[1.0625rem] text-sign-800 leading-[1.3] active:text-sign-900 ${className}`}
    >
      {Icon && <Icon aria-hidden className="size-5 shrink-0" strokeWidth={1.9} />}
      <span className="border-current border-b-[1.5px] pb-0.5 group-hover:border-b-[2.5px] group-hover:pb-px">
        {children}
      </span>
      {!Icon && <ArrowRightIcon aria-hidden className="size-5 shrink-0" strokeWidth={1.9} />}
    </a>
  );
}
