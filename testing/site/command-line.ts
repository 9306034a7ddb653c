/** Runs the programs of the owner and the operator, each as a process of its own. */
import { execFile } from "node:child_process";
import { resolve } from "node:path";

interface ProgramOptions {
  env: NodeJS.ProcessEnv;
  /** The folder whose `.env` the program reads. */
  cwd?: string;
}

/** `said`: all that the program has printed. */
export function runProgram(file: string, args: readonly string[], options: ProgramOptions) {
  const program = [resolve(file), ...args];
  return new Promise<{ code: number; stdout: string; stderr: string; said: string }>((end) => {
    const execOptions = { ...options, maxBuffer: 100_000_000 };
    execFile(process.execPath, program, execOptions, (fault, stdout, stderr) => {
      const code = fault === null ? 0 : Number(fault.code);
      end({ code, stdout, stderr, said: stdout + stderr });
    });
  });
}

export const runOwnerCommand = ({ env }: { env: NodeJS.ProcessEnv }, ...args: string[]) =>
  runProgram("cli/applications.ts", args, { env });
