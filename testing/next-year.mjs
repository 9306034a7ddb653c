/** Loaded into a server: there, a year has nearly passed since the pages were built, and ten minutes pass in a second. */
export const LATER_MS = 364 * 24 * 60 * 60 * 1_000;

const Real = globalThis.Date;
const now = () => Real.now() + LATER_MS;

if (process.env.NEXT_YEAR) {
  globalThis.Date = class extends Real {
    static now = now;
    constructor(...given) {
      super(...(given.length > 0 ? given : [now()]));
    }
  };
  const { setTimeout } = globalThis;
  globalThis.setTimeout = Object.assign(
    (callback, ms, ...rest) => setTimeout(callback, ms === 600_000 ? 1_000 : ms, ...rest),
    setTimeout,
  );
  // Next reckons the age of a page by this clock.
  Object.defineProperty(performance, "timeOrigin", { value: performance.timeOrigin + LATER_MS });
}
