import { TEXT_NOTATION_PATTERN } from "#lib/content/text-notation.ts";

const BREAKS = new Map([
  ["⏎", undefined],
  ["⏎m", "md:hidden"],
  ["⏎d", "hidden lg:inline"],
]);

interface PageTextProps {
  text: string;
  as?: "h1" | "h2" | "h3" | "li" | "p" | "span";
  className?: string;
}

/**
 * Text in the notation of lib/content/text-notation.ts. A changed text gets a new element, because a browser that
 * translates the page replaces the text nodes that React would change.
 */
export function PageText({ text, as: Element = "span", className }: PageTextProps) {
  const parts = text.split(TEXT_NOTATION_PATTERN).filter((part) => part !== "");
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
  // No key on the server, where the text never changes: the key would repeat the text in React's data.
  const key = typeof window === "undefined" ? undefined : text;
  return (
    <Element key={key} className={className}>
      {content}
    </Element>
  );
}
