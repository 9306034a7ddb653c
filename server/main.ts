/**
 * `npm start` serves the build, `--dev` the sources with hot reload. Other modules are imported after the configuration
 * is valid and NODE_ENV is set.
 */
import { env } from "node:process";
import { inspect } from "node:util";
import { ConfigError, config } from "#lib/config.ts";
import { StartError } from "#server/start-error.ts";

/** A container's first process ignores signals without a listener. stopOnSignals replaces these listeners later. */
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => process.exit());

const dev = process.argv.includes("--dev");
Object.assign(env, {
  NEXT_TELEMETRY_DISABLED: "1",
  // The variable keeps Next from reading .env.local and .env.production, whose settings only the pages would see.
  __NEXT_PROCESSED_ENV: "true",
  NODE_ENV: dev ? "development" : "production",
  // Node itself reads next.config.ts. Otherwise Next's compiler, loaded for that one file, would keep 25 MB of memory.
  __NEXT_NODE_NATIVE_TS_LOADER_ENABLED: "true",
});

try {
  config();
  if (!dev) (await import("#server/next-log.ts")).redirectConsoleToLog();
  const { startServer } = await import("#server/start-server.ts");
  await startServer({ dev });
} catch (error) {
  const isForeseen = error instanceof ConfigError || error instanceof StartError;
  process.stderr.write(`${isForeseen ? error.message : inspect(error)}\n`);
  process.exit(1);
}
