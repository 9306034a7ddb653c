import type { ComponentProps } from "react";
import { type Icon, PhoneIcon } from "#components/ui/icons.tsx";
import { telHref } from "#lib/content/links.ts";

/** The values of `variant` and `size` are classes `.button-…` of app/components.css. */
interface Look {
  variant?: "primary" | "outline" | "yellow" | "white" | "ghost" | undefined;
  size?: "md" | "lg" | undefined;
  icon?: Icon | undefined;
}

export function ButtonLink({
  variant = "primary",
  size = "md",
  icon: Icon,
  iconAfter: IconAfter,
  className = "",
  children,
  ...rest
}: ComponentProps<"a"> & Look & { iconAfter?: Icon }) {
  return (
    <a {...rest} className={`button button-${size} button-${variant} ${className}`}>
      {Icon && <Icon />}
      <span>{children}</span>
      {IconAfter && <IconAfter />}
    </a>
  );
}

/** The class `button-number` narrows the padding in a narrow window, so that the number stays on one line. */
export function CallButton({ phone, ...rest }: ComponentProps<"a"> & Look & { phone: string }) {
  return (
    <ButtonLink
      href={telHref(phone)}
      size="lg"
      icon={PhoneIcon}
      className="button-number"
      {...rest}
    >
      {phone}
    </ButtonLink>
  );
}

/** A `busy` button keeps the focus, which a button with the attribute `disabled` would lose. */
export function Button({
  variant = "primary",
  size = "md",
  icon: Icon,
  busy = false,
  className = "",
  children,
  ...rest
}: ComponentProps<"button"> & Look & { busy?: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={busy || undefined}
      className={`button button-${size} button-${busy ? "off" : variant} ${className}`}
    >
      {busy ? <span aria-hidden className="spinner" /> : Icon && <Icon />}
      <span>{children}</span>
    </button>
  );
}
