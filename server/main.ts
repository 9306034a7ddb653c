/**
 * `npm start` serves the build, `--dev` the sources with hot reload. Other modules are imported after the configuration
 * is valid and NODE_ENV is set.
 */
import { env } from "node:process";
import { inspect } from "node:util";
import { ConfigError, config } from "#lib/config.ts";
import { StartError } from "#server/start-error.ts";

/** A container's first process ignores a signal to which it does not listen. Once the site is up, stopOnSignals listens. */
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => process.exit());

const dev = process.argv.includes("--dev");
Object.assign(env, {
  NEXT_TELEMETRY_DISABLED: "1",
  // Next would also read .env.local and .env.production. Only the pages would then see those settings.
  __NEXT_PROCESSED_ENV: "true",
  NODE_ENV: dev ? "development" : "production",
  // Node itself reads next.config.ts. Otherwise Next would load its compiler for that one file and keep it: 25 MB.
  __NEXT_NODE_NATIVE_TS_LOADER_ENABLED: "true",
});

try {
  config();
  if (!dev) (await import("#server/next-log.ts")).redirectConsoleToLog();
  const { start } = await import("#server/start.ts");
  await start({ dev });
} catch (error) {
  const foreseen = error instanceof ConfigError || error instanceof StartError;
  process.stderr.write(`${foreseen ? error.message : inspect(error)}\n`);
  process.exit(1);
}
