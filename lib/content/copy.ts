/**
 * The notation of copy that has a line break or words to keep together:
 * `⏎` breaks always, `⏎m` only on phones (under 768 px), `⏎d` only from 1024 px,
 * `[words]` stay on one line together. Everything else is plain text.
 */
type CopyPart =
  | { kind: "text"; text: string }
  | { kind: "together"; text: string }
  | { kind: "break"; at: "always" | "phone" | "desktop" };

const NOTATION = /(⏎[md]?|\[[^\]]*\])/;
const BREAKS: Record<string, "always" | "phone" | "desktop"> = {
  "⏎": "always",
  "⏎m": "phone",
  "⏎d": "desktop",
};

export function copyParts(copy: string): CopyPart[] {
  return copy
    .split(NOTATION)
    .filter((piece) => piece !== "")
    .map((piece): CopyPart => {
      const at = BREAKS[piece];
      if (at) return { kind: "break", at };
      if (piece.startsWith("[")) return { kind: "together", text: piece.slice(1, -1) };
      return { kind: "text", text: piece };
    });
}

/** The copy as one line of plain text, for labels and metadata. */
export function plainCopy(copy: string): string {
  return copyParts(copy)
    .map((part) => (part.kind === "break" ? " " : part.text))
    .join("")
    .replace(/ {2,}/g, " ");
}

/** A word as the topic of a sentence, with the particle that its last syllable asks for: `충주는`, `제천은`. */
export const asTopic = (word: string) => `${word}${endsInConsonant(word) ? "은" : "는"}`;

/** A word as the object of a sentence: `나이를`, `성별을`; a number by how it is read: `…P를`, but `…M을`. */
export const asObject = (word: string) => `${word}${endsInConsonant(word) ? "을" : "를"}`;
/** A word as the subject of a sentence: `문자가`, `메일이`. */
export const asSubject = (word: string) => `${word}${endsInConsonant(word) ? "이" : "가"}`;

function endsInConsonant(word: string): boolean {
  const syllable = (word.codePointAt(word.length - 1) ?? 0) - 0xac00;
  return (syllable >= 0 && syllable < 11_172 && syllable % 28 > 0) || /[MNR3678]$/.test(word);
}

/** Puts values into `{places}`: fill("{n} / 6", { n: 2 }) is "2 / 6". */
export function fill(copy: string, values: Record<string, string | number>): string {
  return copy.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}
