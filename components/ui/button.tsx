import type { ComponentProps, ReactNode } from "react";
import { type Icon, PhoneIcon } from "#components/ui/icons.tsx";
import { telHref } from "#lib/content/links.ts";

/** The looks are the classes `.button-…` of app/components.css. */
interface Look {
  variant?: "primary" | "outline" | "yellow" | "white" | "ghost" | undefined;
  size?: "sm" | "md" | "lg" | undefined;
  icon?: Icon | undefined;
  iconAfter?: Icon | undefined;
}

function buttonClass(
  { variant = "primary", size = "md" }: Pick<Look, "variant" | "size"> = {},
  off = false,
  extra = "",
): string {
  return `button button-${size} button-${off ? "off" : variant} ${extra}`;
}

function Content({ icon: Before, iconAfter: After, children }: Look & { children: ReactNode }) {
  return (
    <>
      {Before && <Before />}
      <span>{children}</span>
      {After && <After />}
    </>
  );
}

/** A link that looks like a button. */
export function ButtonLink({
  variant,
  size,
  icon,
  iconAfter,
  className,
  children,
  ...rest
}: ComponentProps<"a"> & Look) {
  return (
    <a {...rest} className={buttonClass({ variant, size }, false, className)}>
      <Content icon={icon} iconAfter={iconAfter}>
        {children}
      </Content>
    </a>
  );
}

/** A phone number as a button that calls it: one line, smaller where the window is too narrow for it. */
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

/** A button; `busy` shows the ring and stops the press without taking the focus away. */
export function Button({
  variant,
  size,
  icon,
  iconAfter,
  busy = false,
  className,
  children,
  type = "button",
  ...rest
}: ComponentProps<"button"> & Look & { busy?: boolean }) {
  const off = busy || rest.disabled === true;
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={off || undefined}
      className={buttonClass({ variant, size }, off, className)}
    >
      {busy && (
        <span
          aria-hidden
          className="size-5 shrink-0 animate-spin rounded-full border-[3px] border-asphalt-450 border-t-asphalt-700 motion-reduce:hidden"
        />
      )}
      <Content icon={busy ? undefined : icon} iconAfter={iconAfter}>
        {children}
      </Content>
    </button>
  );
}
