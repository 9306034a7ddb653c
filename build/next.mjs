/** Runs Next's own command without telemetry: `node build/next.mjs build`. */
process.env.NEXT_TELEMETRY_DISABLED = "1";
await import("next/dist/bin/next");
