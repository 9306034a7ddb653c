/** A small change of the product that takes a promise away. */
export interface Breakage {
  /** A row of docs/faults.md and what is taken out, or the promise of the README. */
  breaks: string;
  file: string;
  /** A text that the file has exactly once, and what stands there instead. */
  from: string;
  to: string;
  /** Where the tests that can notice do not import the file: files of unit tests, or end-to-end tests. */
  tests?: string[];
}
