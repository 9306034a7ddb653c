import { join } from "node:path";
import { parseArgs } from "node:util";
import { backupCommand, restoreCommand } from "#cli/applications/backup.ts";
import { CommandError, UsageError } from "#cli/applications/command.ts";
import { doneCommand } from "#cli/applications/done.ts";
import { exportCommand } from "#cli/applications/export.ts";
import { forgetCommand } from "#cli/applications/forget.ts";
import { listCommand } from "#cli/applications/list.ts";
import { resendCommand } from "#cli/applications/resend.ts";
import { showCommand } from "#cli/applications/show.ts";
import { formatTable } from "#cli/applications/table.ts";
import { testSendCommand } from "#cli/applications/test-send.ts";
import { switchToDataOwner } from "#cli/data-owner.ts";
import { describeStorageError } from "#cli/database-state.ts";
import { config } from "#lib/config.ts";

const OWNER_COMMANDS = [
  listCommand,
  showCommand,
  resendCommand,
  doneCommand,
  testSendCommand,
  exportCommand,
  backupCommand,
  restoreCommand,
  forgetCommand,
];

/** Returns the exit code: 0 success, 1 failure, 2 unknown command or wrong arguments. @throws ConfigError */
export async function runCommand([name = "", ...args]: string[]): Promise<0 | 1 | 2> {
  const command = OWNER_COMMANDS.find(({ usage }) => usage.split(" ")[0] === name);
  if (!command) {
    const isAsked = ["help", "--help", "-h"].includes(name);
    const print = isAsked ? console.info : console.error;
    print(help());
    return isAsked ? 0 : 2;
  }
  try {
    const { options = {} } = command;
    const { positionals, values } = parseArgs({ args, options, allowPositionals: true });
    switchToDataOwner(config());
    await command.run(positionals, config(), values);
    return 0;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const code = "code" in error ? String(error.code) : "";
    const isMisused = error instanceof UsageError || code.startsWith("ERR_PARSE_ARGS_");
    if (error instanceof UsageError && error.message) console.error(error.message);
    console.error(
      isMisused ? `사용법: npm run applications -- ${command.usage}` : sentenceFor(error, code),
    );
    return isMisused ? 2 : 1;
  }
}

const PROGRAMMING_ERRORS = [TypeError, ReferenceError, RangeError, SyntaxError];

/** @throws programming errors, so that their stack is printed */
function sentenceFor(error: Error, code: string): string {
  if (error instanceof CommandError) return error.message;
  if ("syscall" in error) return `${fileAdvice(error, code)}\n${error.message}`;
  if (PROGRAMMING_ERRORS.some((kind) => error instanceof kind)) throw error;
  // The remaining errors come from the database, its driver or the network.
  return describeStorageError(error, config());
}

function fileAdvice(error: Error, code: string): string {
  const { dataDir } = config();
  if (["ENOSPC", "EDQUOT"].includes(code))
    return "디스크에 빈 자리가 없거나(df -h) 파일을 더 만들 수 없습니다(df -i).";
  const isInDataFolder = "path" in error && String(error.path).startsWith(dataDir);
  return isInDataFolder && ["EACCES", "EPERM"].includes(code)
    ? `데이터 폴더에 사이트의 사용자가 쓸 수 없는 파일이나 폴더가 있습니다. root로 한 번 실행해 주세요: chown -R --reference=${dataDir} ${dataDir}`
    : `파일을 읽거나 쓰지 못했습니다. 사이트의 사용자가 쓸 수 있는 폴더의 파일을 적어 주세요(예: ${join(dataDir, "파일이름")}).`;
}

const help = () => `사용법: npm run applications -- <명령>

${formatTable(OWNER_COMMANDS.map(({ usage, purpose }) => [usage, purpose])).join("\n")}

사이트가 켜져 있어도 쓸 수 있습니다. 종료 코드: 0 정상, 1 실패, 2 잘못 쓴 명령.`;
