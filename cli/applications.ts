/**
 * The owner's command line: `npm run applications -- list`. It works on the same data as the site, also
 * while that is running. What it says is for the owner or for a program, so that the log is silent;
 * everything else is loaded only after that.
 */
import { argv, env } from "node:process";

Object.assign(env, { LOG_LEVEL: "silent" });
const { run } = await import("#cli/applications/run.ts");
process.exitCode = await run(argv.slice(2));
