/** Next calls this once, when its server starts, but not while it builds. */
export async function register(): Promise<void> {
  // Next sets this while it compiles; without it the edge bundle, which nothing uses, would take Node's modules in.
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { processGlobals } = await import("#lib/process-globals.ts");
    // Our own server sets its worker up before Next starts.
    if (processGlobals.worker) return;
    const { log } = await import("#lib/log.ts");
    log.warn(
      "Applications are stored, but nothing is being delivered: this is Next's own server. Stop it and run npm start, which delivers what has waited too.",
    );
  }
}
