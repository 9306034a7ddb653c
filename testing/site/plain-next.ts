import { spawn } from "node:child_process";
import { once } from "node:events";

/** Starts Next's own server on this build, without the project's server. `await using` ends Next's server. */
export function startPlainNext(env: NodeJS.ProcessEnv, port: number) {
  const args = ["node_modules/next/dist/bin/next", "start", "--port", `${port}`];
  const child = spawn(process.execPath, args, { env, detached: true, stdio: "ignore" });
  return {
    url: `http://localhost:${port}`,
    [Symbol.asyncDispose]: async () => {
      const gone = once(child, "exit");
      process.kill(-(child.pid ?? 0), "SIGKILL");
      await gone;
    },
  };
}
