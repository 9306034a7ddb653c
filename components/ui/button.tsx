import type { ComponentProps, ReactNode } from "react";
import type { Icon } from "#components/ui/line-icon.tsx";

const VARIANTS = {
  primary: "bg-sign-700 text-white hover:bg-sign-800 active:bg-sign-900",
  outline:
    "border-[1.5px] border-asphalt-450 text-asphalt-900 hover:border-asphalt-900 hover:bg-white active:bg-asphalt-100",
  yellow: "bg-lane-500 text-asphalt-900 hover:bg-lane-400 active:bg-lane-600",
  white: "bg-white text-asphalt-900 hover:bg-asphalt-100 active:bg-asphalt-300",
  ghost:
    "border-[1.5px] border-veil-55 text-white hover:border-white hover:bg-veil-12 active:bg-veil-20",
} as const;

const SIZES = {
  sm: "min-h-11 px-[1.125rem] text-[0.9375rem]",
  md: "min-h-13 px-[1.375rem] text-[1.0625rem]",
  lg: "min-h-14 px-[1.625rem] text-[1.0625rem]",
} as const;

const BASE =
  "inline-flex items-center justify-center gap-2 rounded-m py-2 text-center font-[650] leading-[1.3] tracking-[-0.015em] transition-colors duration-colour focus-visible:rounded-m aria-disabled:cursor-default";
const OFF = "bg-asphalt-300 text-asphalt-600";

interface Look {
  variant?: keyof typeof VARIANTS | undefined;
  size?: keyof typeof SIZES | undefined;
  icon?: Icon | undefined;
  iconAfter?: Icon | undefined;
}

function buttonClass(
  { variant = "primary", size = "md" }: Pick<Look, "variant" | "size"> = {},
  off = false,
  extra = "",
): string {
  return `${BASE} ${SIZES[size]} ${off ? OFF : VARIANTS[variant]} ${extra}`;
}

function Content({ icon: Before, iconAfter: After, children }: Look & { children: ReactNode }) {
  return (
    <>
      {Before && <Before aria-hidden className="size-5 shrink-0" strokeWidth={1.9} />}
      <span>{children}</span>
      {After && <After aria-hidden className="size-5 shrink-0" strokeWidth={1.9} />}
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
