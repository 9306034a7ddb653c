import type { ComponentProps } from "react";
import { ArrowRightIcon, type Icon } from "#components/ui/icons.tsx";

export function TextLink({
  icon: Icon,
  className = "",
  children,
  ...rest
}: ComponentProps<"a"> & { icon?: Icon }) {
  return (
    <a {...rest} className={`text-link ${className}`}>
      {Icon && <Icon />}
      <span className="text-link-line">{children}</span>
      {!Icon && <ArrowRightIcon />}
    </a>
  );
}
