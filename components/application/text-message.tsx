import type { ComponentProps } from "react";

/** A text message as it is sent, line by line; what is copied from it is the same. A date stays on one line. */
export function TextMessage({ text, className = "", ref }: ComponentProps<"p"> & { text: string }) {
  const [before, date, ...after] = text.split(/(\d{4}-\d\d-\d\d)/);
  return (
    <p ref={ref} className={`whitespace-pre-line tabular wrap-anywhere ${className}`}>
      {before}
      <span className="whitespace-nowrap">{date}</span>
      {after}
    </p>
  );
}
