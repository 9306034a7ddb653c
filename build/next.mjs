/** Next's own command, as `node build/next.mjs build`, without its reports to its makers. */
process.env.NEXT_TELEMETRY_DISABLED = "1";
await import("next/dist/bin/next");
