/** Shifts `Date.now` of a process that imports this file by CLOCK_SHIFT_MS, but neither `new Date()` nor timers. */
const now = Date.now;
const shift = Number(process.env.CLOCK_SHIFT_MS);
Date.now = () => now() + shift;
