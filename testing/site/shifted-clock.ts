/** Shifts the wall clock of a process that imports this file by CLOCK_SHIFT_MS. Timers keep their speed. */
const now = Date.now;
const shift = Number(process.env.CLOCK_SHIFT_MS);
Date.now = () => now() + shift;
