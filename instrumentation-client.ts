/**
 * Keeps React from starting in a browser that is too old for the scripts (Safari before 17.4, Chromium before 119). The
 * page works there without scripts, and would fail with them.
 */
if (!Promise.withResolvers) throw new Error("too old");

export {};
