import { business } from "#lib/content/business.ts";

/** The steering wheel and the name. The wheel takes the colour of the text around it. */
export function Brand({ className = "" }: { className?: string }) {
  return (
    <span className={`flex min-w-0 items-center gap-[10px] ${className}`}>
      <span
        aria-hidden
        className="logo-mark size-[36px] shrink-0 max-[16rem]:hidden lg:size-[40px]"
      />
      <span className="min-w-0 font-extrabold text-[1.125rem] leading-tight tracking-[-0.03em] lg:text-[1.25rem]">
        {business.brand}
      </span>
    </span>
  );
}
