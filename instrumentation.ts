/** Next calls this function once when a server starts, and not during a build. */
export async function register(): Promise<void> {
  // Next also builds a bundle for the edge runtime, which cannot import Node's modules.
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { processGlobals } = await import("#lib/process-globals.ts");
    // `npm start` (server/main.ts) creates the worker before Next starts.
    if (processGlobals.worker) return;
    const { log } = await import("#lib/log.ts");
    log.warn(
      "Applications are stored, but nothing is being delivered: this is Next's own server. Stop it and run npm start, which delivers what has waited too.",
    );
  }
}
