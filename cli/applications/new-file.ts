import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { CommandFault } from "#cli/command-fault.ts";
import { wholeFile } from "#lib/whole-file.ts";

/** Makes a file that was not there before. `write` gets the path of an empty file. @throws CommandFault */
export async function newFile<Result>(
  file: string,
  write: (aside: string) => Promise<Result> | Result,
): Promise<Result> {
  try {
    refuseExisting(file);
    return await wholeFile(file, async (aside) => {
      const result = await write(aside);
      refuseExisting(file);
      return result;
    });
  } catch (error) {
    throw writeFault(error, file);
  }
}

/** A folder that only its owner may look into. @throws CommandFault */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw writeFault(error, folder);
  }
}

function refuseExisting(file: string): void {
  if (!existsSync(file)) return;
  throw new CommandFault(`${file} 파일이 이미 있어 그대로 두었습니다. 다른 이름을 적어 주세요.`);
}

const CURES: Readonly<Record<string, string>> = {
  ENOENT: "폴더가 없습니다.",
  ENOTDIR: "폴더가 아닙니다.",
  EACCES: "이 폴더에 쓸 권한이 없습니다.",
  EPERM: "이 폴더에 쓸 권한이 없습니다.",
  EROFS: "쓸 수 없는 디스크입니다.",
  ENOSPC: "디스크에 빈 자리가 없습니다.",
  EDQUOT: "디스크에 빈 자리가 없습니다.",
};

function writeFault(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || !("syscall" in error) || !("code" in error)) return error;
  const code = String(error.code);
  return new CommandFault(
    `${file}에 쓰지 못했습니다. ${CURES[code] ?? "디스크를 확인해 주세요."} (${code})`,
  );
}
