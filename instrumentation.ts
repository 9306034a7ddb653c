/** Next calls this once when its server starts; a build does not call it. */
export async function register(): Promise<void> {
  // True in the bundle for Node. The unused edge bundle must not import Node's modules.
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { processGlobals } = await import("#lib/process-globals.ts");
    // Our own server creates its worker before Next starts.
    if (processGlobals.worker) return;
    const { log } = await import("#lib/log.ts");
    log.warn(
      "Applications are stored, but nothing is being delivered: this is Next's own server. Stop it and run npm start, which delivers what has waited too.",
    );
  }
}
