/** Next's own command, as `node build/next.mjs build`, without its telemetry. */
process.env.NEXT_TELEMETRY_DISABLED = "1";
await import("next/dist/bin/next");
