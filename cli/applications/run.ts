/** Finds the command and runs it. A command is a value, named in COMMANDS. */
import { parseArgs } from "node:util";
import { backup, restore } from "#cli/applications/backup.ts";
import { type Command, CommandFault, UsageFault } from "#cli/applications/command.ts";
import { exportCsv } from "#cli/applications/export.ts";
import { forget } from "#cli/applications/forget.ts";
import { list } from "#cli/applications/list.ts";
import { resend } from "#cli/applications/resend.ts";
import { show } from "#cli/applications/show.ts";
import { table } from "#cli/applications/table.ts";
import { testSend } from "#cli/applications/test-send.ts";
import { STORAGE_FAULTS } from "#cli/database.ts";
import { config } from "#lib/config.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";

const COMMANDS = [list, show, resend, testSend, exportCsv, backup, restore, forget];

/** Returns the exit code. 0: all went well. 1: it did not. 2: the command was not understood. @throws ConfigError */
export async function run([name = "", ...args]: string[]): Promise<0 | 1 | 2> {
  const command = COMMANDS.find(({ usage }) => usage.split(" ")[0] === name);
  if (!command) {
    const isAsked = ["help", "--help", "-h"].includes(name);
    const tell = isAsked ? console.info : console.error;
    for (const line of help()) tell(line);
    return isAsked ? 0 : 2;
  }
  try {
    const { options = {} } = command;
    const { positionals, values } = parseArgs({ args, options, allowPositionals: true });
    await command.run(positionals, config(), values);
    return 0;
  } catch (error) {
    return explain(error, command);
  }
}

/** A sentence for the owner; anything else is a fault in the program and ends with its stack. */
function explain(error: unknown, { usage }: Command): 1 | 2 {
  if (!(error instanceof Error)) throw error;
  const code = "code" in error ? String(error.code) : "";
  if (error instanceof UsageFault || code.startsWith("ERR_PARSE_ARGS_")) {
    console.error(`사용법: npm run applications -- ${usage}`);
    return 2;
  }
  if (error instanceof CommandFault) console.error(error.message);
  else if (error instanceof StorageUnavailable) {
    console.error(`${STORAGE_FAULTS[error.reason]}\n${error.message}`);
  } else if ("syscall" in error) {
    console.error(
      `파일을 쓰지 못했습니다. 폴더가 있는지, 쓸 권한과 디스크에 빈 자리가 있는지 확인해 주세요.\n${error.message}`,
    );
  } else throw error;
  return 1;
}

function help(): string[] {
  return [
    "사용법: npm run applications -- <명령>",
    "",
    ...table(COMMANDS.map(({ usage, does }) => [usage, does])),
    "",
    "사이트가 켜져 있어도 쓸 수 있습니다. 종료 코드: 0 정상, 1 실패, 2 잘못 쓴 명령.",
  ];
}
