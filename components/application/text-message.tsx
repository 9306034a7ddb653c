import type { ComponentProps } from "react";

/** A text message, line by line, as it is sent and copied. A date stays on one line. */
export function TextMessage({ text, className = "", ref }: ComponentProps<"p"> & { text: string }) {
  const [before, date, ...after] = text.split(/(\d{4}-\d\d-\d\d)/);
  return (
    <p
      ref={ref}
      key={text}
      translate="no"
      className={`whitespace-pre-line tabular wrap-anywhere ${className}`}
    >
      {before}
      <span className="whitespace-nowrap">{date}</span>
      {after}
    </p>
  );
}
