/** Mutants without any noticeable effect, each with its reason. They do not count. */
export interface Equivalent {
  file: string;
  original: string;
  replacement: string;
  reason: string;
}

export const EQUIVALENTS: readonly Equivalent[] = [
  {
    file: "lib/browser/drafts.ts",
    original: "Math.imul(sum, 31) + (character.codePointAt(0) ?? 0)",
    replacement: "Math.imul(sum, 31) - (character.codePointAt(0) ?? 0)",
    reason: "The hash is another one, and distinguishes values as well.",
  },
];
