/**
 * The owner's command line: `npm run applications -- list`. It works on the same data as the site, also
 * while the site runs. Its output is for the owner or for a program, so the log is turned off before any
 * module that logs is loaded.
 */
import { argv, env } from "node:process";

Object.assign(env, { LOG_LEVEL: "silent" });
const { run } = await import("#cli/applications/run.ts");
process.exitCode = await run(argv.slice(2));
