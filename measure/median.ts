export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  const at = (index: number) => sorted[index] ?? Number.NaN;
  return (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2;
}

export function medians(runs: readonly Record<string, number>[]): Record<string, number> {
  const of = (name: string) => median(runs.map((run) => run[name] ?? Number.NaN));
  const names = Object.keys(runs[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, Number(of(name).toFixed(4))]));
}
