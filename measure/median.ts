/** The mean of the two middle numbers, if the count is even. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const half = sorted.length / 2;
  return Number.isInteger(half) ? (at(half - 1) + at(half)) / 2 : at(Math.floor(half));
}

export function medians(runs: readonly Record<string, number>[]): Record<string, number> {
  const of = (name: string) => median(runs.map((run) => run[name] ?? Number.NaN));
  const names = Object.keys(runs[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, Number(of(name).toFixed(4))]));
}
