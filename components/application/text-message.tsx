import type { ComponentProps } from "react";

/** A page shows only one text message at a time. */
export const TEXT_MESSAGE_ID = "text-message";

/** A text message as it is sent and copied. A date stays on one line. */
export function TextMessage({ text, className = "", id }: ComponentProps<"p"> & { text: string }) {
  const [before, date, ...after] = text.split(/(\d{4}-\d\d-\d\d)/);
  return (
    <p
      id={id}
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
