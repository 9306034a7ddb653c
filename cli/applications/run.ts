/** Finds the command and runs it. A command is a value in a file of its own, named in COMMANDS. */

import { backup } from "#cli/applications/backup.ts";
import { type Command, type ExitCode, UsageFault } from "#cli/applications/command.ts";
import { exportCsv } from "#cli/applications/export.ts";
import { forget } from "#cli/applications/forget.ts";
import { list } from "#cli/applications/list.ts";
import { purge } from "#cli/applications/purge.ts";
import { resend } from "#cli/applications/resend.ts";
import { restore } from "#cli/applications/restore.ts";
import { show } from "#cli/applications/show.ts";
import { table } from "#cli/applications/terminal.ts";
import { testSend } from "#cli/applications/test-send.ts";
import { weekly } from "#cli/applications/weekly.ts";
import { CommandFault } from "#cli/command-fault.ts";
import { complain, say } from "#cli/say.ts";
import { STORAGE_FAULTS } from "#cli/storage-faults.ts";
import { config } from "#lib/config.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";

const COMMANDS: Record<string, Command> = {
  list,
  show,
  resend,
  weekly,
  "test-send": testSend,
  export: exportCsv,
  backup,
  restore,
  purge,
  forget,
};

/** @throws ConfigError */
export async function run([name = "", ...args]: string[]): Promise<ExitCode> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    const asked = name === "help" || name === "--help" || name === "-h";
    for (const line of help()) asked ? say(line) : complain(line);
    return asked ? 0 : 2;
  }
  try {
    return await command.run(args, config());
  } catch (error) {
    return explain(error, command);
  }
}

/** A sentence for the owner; anything else is a fault in the program and ends with its stack. */
function explain(error: unknown, { usage, options = [] }: Command): ExitCode {
  if (error instanceof UsageFault || isParseFault(error)) {
    if (error instanceof UsageFault && error.message !== "") complain(error.message);
    complain(`사용법: npm run applications -- ${usage}`);
    for (const line of options) complain(`  ${line}`);
    return 2;
  }
  if (error instanceof CommandFault) complain(error.message);
  else if (error instanceof StorageUnavailable) {
    complain(`${STORAGE_FAULTS[error.reason]}\n${error.message}`);
  } else throw error;
  return 1;
}

function isParseFault(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return code.startsWith("ERR_PARSE_ARGS_");
}

function help(): string[] {
  return [
    "사용법: npm run applications -- <명령>",
    "",
    ...table(Object.values(COMMANDS).map(({ usage, does }) => [`  ${usage}`, does])),
    "",
    "사이트가 켜져 있어도 쓸 수 있습니다. 종료 코드: 0 정상, 1 실패, 2 잘못 쓴 명령.",
  ];
}
