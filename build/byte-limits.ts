/** How many bytes the first load of a page may have. */
import type { FirstLoad } from "#build/first-load.ts";

const KB = 1024;

/** On top of what a blank page of the same Next has. */
const JS_BEYOND_BLANK = 6 * KB;
const JS_BEYOND_BLANK_WITH_FORM = 14 * KB;
const LIMITS = {
  html: 16 * KB,
  css: 9 * KB,
  fonts: 60 * KB,
  pictures: 45 * KB,
} as const;

export const BUDGETED_PAGES = [
  { path: "/", hasForm: true },
  { path: "/gallery", hasForm: false },
  { path: "/pricing", hasForm: false },
  { path: "/contact", hasForm: true },
  { path: "/privacy", hasForm: false },
  { path: "/no-such-road", hasForm: false },
] as const;

type Kind = "js" | keyof typeof LIMITS;
export interface Budget {
  kind: Kind;
  bytes: number;
  limit: number;
}

/** Each kind of bytes beside its limit. */
export function budgetsOf(load: FirstLoad, blankJs: number, hasForm: boolean): Budget[] {
  const beyond = hasForm ? JS_BEYOND_BLANK_WITH_FORM : JS_BEYOND_BLANK;
  return [
    { kind: "js", bytes: load.js, limit: blankJs + beyond },
    ...(["html", "css", "fonts", "pictures"] as const).map((kind) => ({
      kind,
      bytes: load[kind],
      limit: LIMITS[kind],
    })),
  ];
}

/** What a page breaks, in words; nothing when it keeps all its budgets. */
export function faultsOf(budgets: readonly Budget[], load: FirstLoad): string[] {
  return [
    ...budgets
      .filter(({ bytes, limit }) => bytes > limit)
      .map(({ kind, bytes, limit }) => `${kind}: ${kilobytes(bytes)} of ${kilobytes(limit)}`),
    ...load.elsewhere.map((url) => `another site: ${url}`),
  ];
}

export function kilobytes(bytes: number): string {
  return `${(bytes / KB).toFixed(1)} KB`;
}
