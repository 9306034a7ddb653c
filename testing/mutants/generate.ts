/** Generates mutants of the folders that contain logic, with StrykerJS, and samples them. */
import { readFileSync } from "node:fs";
import { Instrumenter } from "@stryker-mutator/instrumenter";

export const MUTATED_FOLDERS = [
  "lib/delivery",
  "lib/storage/queries",
  "lib/intake",
  "lib/application",
  "lib/channels",
  "lib/browser",
  "cli",
  "server",
] as const;
type Folder = (typeof MUTATED_FOLDERS)[number];

export interface Mutant {
  /** The environment variable `MUTANT_SWITCH` activates the mutant with this id. */
  id: string;
  folder: Folder;
  file: string;
  /** The first line of a file is 1. */
  line: number;
  original: string;
  replacement: string;
}

interface Instrumented {
  mutants: Mutant[];
  files: readonly { name: string; content: string }[];
}

/** Puts every mutant of these files behind a switch. Mutants of string literals are left out. */
export async function instrumentFiles(files: readonly string[]): Promise<Instrumented> {
  const sources = new Map(files.map((name) => [name, readFileSync(name, "utf8")]));
  const inputs = [...sources].map(([name, content]) => ({ name, content, mutate: true }));
  const { mutants, files: instrumented } = await new Instrumenter(SILENT).instrument(inputs, {
    plugins: null,
    excludedMutations: ["StringLiteral"],
    ignorers: [UNICODE_EXPRESSIONS],
    noHeader: false,
  });
  return {
    files: instrumented,
    mutants: mutants
      // Stryker also lists the excluded mutants, which are not in the code.
      .filter(({ status }) => status !== "Ignored")
      .map(({ id, fileName, location, replacement }) => {
        const lines = (sources.get(fileName) ?? "").split("\n");
        const original = textBetween(lines, location);
        const folder =
          MUTATED_FOLDERS.find((each) => fileName.startsWith(`${each}/`)) ?? MUTATED_FOLDERS[0];
        return { id, folder, file: fileName, line: location.start.line + 1, original, replacement };
      })
      // Mutants in log lines are left out, because few tests compare the words of a log line.
      .filter(({ file, line }) => !isLogged(sources.get(file) ?? "", line)),
  };
}

interface Position {
  /** The first line of a file is 0. */
  line: number;
  column: number;
}

function textBetween(lines: readonly string[], { start, end }: { start: Position; end: Position }) {
  const within = lines.slice(start.line, end.line + 1);
  const last = within.length - 1;
  return within
    .map((line, index) => (index === last ? line.slice(0, end.column) : line))
    .map((line, index) => (index === 0 ? line.slice(start.column) : line))
    .join("\n");
}

const isLogged = (source: string, line: number) =>
  /^\s*log(\.\w+|\[)/.test(source.split("\n")[line - 1] ?? "");

/** Chooses `each` mutants per folder at random. In the same code, a seed always chooses the same mutants. */
export function sampleMutants(mutants: readonly Mutant[], each: number, seed: number): Mutant[] {
  const random = randomFrom(seed);
  return MUTATED_FOLDERS.flatMap((folder) =>
    mutants
      .filter((mutant) => mutant.folder === folder)
      .map((mutant) => ({ mutant, order: random() }))
      .toSorted((a, b) => a.order - b.order)
      .slice(0, each)
      .map(({ mutant }) => mutant),
  );
}

/** Random numbers from 0 to 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Leaves out regular expressions with the flag `u` or `v`, because mutants such as `\V` do not compile. */
const UNICODE_EXPRESSIONS = {
  shouldIgnore: ({ node }: { node: object }) =>
    "flags" in node && /[uv]/.test(String(node.flags)) ? "unicode" : undefined,
};

const nothing = () => undefined;
const never = () => false;
const SILENT = {
  ...{ isTraceEnabled: never, isDebugEnabled: never, isInfoEnabled: never },
  ...{ isWarnEnabled: never, isErrorEnabled: never, isFatalEnabled: never },
  ...{ trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing },
  fatal: nothing,
};
