import { NOTATION } from "#lib/content/copy.ts";

const BREAKS = new Map([
  ["⏎", undefined],
  ["⏎m", "md:hidden"],
  ["⏎d", "hidden lg:inline"],
]);

interface CopyProps {
  text: string;
  /** The element that it fills: a `span` without one. */
  as?: "h1" | "h2" | "h3" | "p" | "span";
  className?: string;
}

/**
 * Copy with its line breaks and its words that stay together; the notation is in lib/content/copy.ts. Another text is
 * another element: a browser that translates the page has replaced the text nodes that React knows.
 */
export function Copy({ text, as: Element = "span", className }: CopyProps) {
  const parts = text.split(NOTATION).filter((part) => part !== "");
  const content = parts.map((part, index) => {
    const key = `${index}`;
    if (BREAKS.has(part)) return <br key={key} className={BREAKS.get(part)} />;
    if (!part.startsWith("[")) return part;
    return (
      <span key={key} className="inline-block max-w-full">
        {part.slice(1, -1)}
      </span>
    );
  });
  // Not in what the server renders: there it never changes, and each page would carry it a third time.
  const key = typeof window === "undefined" ? undefined : text;
  return (
    <Element key={key} className={className}>
      {content}
    </Element>
  );
}
