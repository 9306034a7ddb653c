/** The wall clock, ms since the epoch. What depends on the time takes one of these, so that tests can move it. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();
