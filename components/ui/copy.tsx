import { COPY_NOTATION } from "#lib/content/copy.ts";

const BREAKS = new Map([
  ["⏎", undefined],
  ["⏎m", "md:hidden"],
  ["⏎d", "hidden lg:inline"],
]);

interface CopyProps {
  text: string;
  /** The element's tag, `span` by default. */
  as?: "h1" | "h2" | "h3" | "p" | "span";
  className?: string;
}

/**
 * Text with its line breaks and unbroken phrases, in the notation of lib/content/copy.ts. A new text gets a new
 * element: a browser that translates the page has replaced the text nodes that React knows.
 */
export function Copy({ text, as: Element = "span", className }: CopyProps) {
  const parts = text.split(COPY_NOTATION).filter((part) => part !== "");
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
  // The server sets no key: the text never changes there, and each page already has it in its HTML and in React's data.
  const key = typeof window === "undefined" ? undefined : text;
  return (
    <Element key={key} className={className}>
      {content}
    </Element>
  );
}
