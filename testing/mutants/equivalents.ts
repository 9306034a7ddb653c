/** Mutants without any noticeable effect, each with its reason. They do not count. */
export interface Equivalent {
  file: string;
  original: string;
  replacement: string;
  reason: string;
}

export const EQUIVALENTS: readonly Equivalent[] = [];
