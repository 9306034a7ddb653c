/** Next calls this once, when its server starts, but not while it builds. */
export async function register(): Promise<void> {
  // Next sets this while it compiles; without it the edge bundle, which nothing uses, would take Node's modules in.
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { warnWithoutWorker } = await import("#lib/intake/warn-without-worker.ts");
    warnWithoutWorker();
  }
}
