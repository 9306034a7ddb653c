import { Fragment } from "react";
import { copyParts } from "#lib/content/copy.ts";

const BREAK_CLASS = { always: undefined, phone: "md:hidden", desktop: "hidden lg:inline" } as const;

/** Copy with its line breaks and its words that stay together; the notation is in lib/content/copy.ts. */
export function Copy({ text }: { text: string }) {
  return copyParts(text).map((part, index) => {
    const key = `${index}`;
    if (part.kind === "break") return <br key={key} className={BREAK_CLASS[part.at]} />;
    if (part.kind === "together") {
      return (
        <span key={key} className="inline-block max-w-full">
          {part.text}
        </span>
      );
    }
    return <Fragment key={key}>{part.text}</Fragment>;
  });
}
