import type { ComponentProps } from "react";

/** The words of an application, as its text message or its summary. A date stays on one line. */
export function ApplicationText({
  text,
  className = "",
  id,
}: ComponentProps<"p"> & { text: string }) {
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
