/** Next calls this once when its server starts, and not during a build. */
export async function register(): Promise<void> {
  // Next also builds a bundle for the edge runtime, which cannot import Node's modules.
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { processGlobals } = await import("#lib/process-globals.ts");
    // server/main.ts creates the worker before it starts Next.
    if (processGlobals.worker) return;
    const { log } = await import("#lib/log.ts");
    log.warn(
      "Applications are stored, but nothing is being delivered: this is Next's own server. Stop it and run npm start, which delivers what has waited too.",
    );
  }
}
