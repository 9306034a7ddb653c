/** Loaded into a server: once it runs, a day goes by on all of its clocks at once; with `wall` its wall clock jumps. */
const LATER_MS = 25 * 60 * 60 * 1_000;
/** By then the worker has looked at the clock, also where others take the processors. */
const RUNS_AFTER_MS = 12_000;

if (process.env.A_DAY_LATER) {
  const Real = globalThis.Date;
  const real = performance.now.bind(performance);
  let later = 0;
  setTimeout(() => {
    later = LATER_MS;
  }, RUNS_AFTER_MS).unref();
  const now = () => Real.now() + later;
  globalThis.Date = class extends Real {
    static now = now;
    constructor(...given) {
      super(...(given.length > 0 ? given : [now()]));
    }
  };
  if (process.env.A_DAY_LATER !== "wall") {
    Object.defineProperty(performance, "now", { value: () => real() + later });
  }
}
