/** Mutants without any noticeable effect, each with its reason. test-mutants.ts does not count them. */
export interface EquivalentMutant {
  file: string;
  original: string;
  replacement: string;
  reason: string;
}

export const EQUIVALENT_MUTANTS: readonly EquivalentMutant[] = [
  {
    file: "lib/browser/drafts.ts",
    original: "Math.imul(sum, 31) + (character.codePointAt(0) ?? 0)",
    replacement: "Math.imul(sum, 31) - (character.codePointAt(0) ?? 0)",
    reason: "The hash is another one, and distinguishes values as well.",
  },
  {
    file: "lib/intake/limits.ts",
    original: "address !== undefined",
    replacement: "true",
    reason: "Removing a count of an unknown address from an empty window changes nothing.",
  },
  {
    file: "lib/intake/body.ts",
    original: "entered !== undefined",
    replacement: "true",
    reason: "A field whose value is undefined counts as one that the request lacks.",
  },
];
