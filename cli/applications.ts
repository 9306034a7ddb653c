/** The owner's command line. Its commands are imported after LOG_LEVEL is set, because the log reads it when loaded. */
import { argv, env } from "node:process";
import { ConfigError, config } from "#lib/config.ts";

Object.assign(env, { LOG_LEVEL: "silent" });
try {
  config();
  const { runCommand } = await import("#cli/applications/run.ts");
  process.exitCode = await runCommand(argv.slice(2));
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(`설정(.env)에 잘못이 있어 아무것도 하지 않았습니다.\n${error.message}`);
  process.exitCode = 1;
}
