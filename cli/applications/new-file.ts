import { existsSync } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { CommandFault } from "#cli/command-fault.ts";

/**
 * Makes a file that only its owner can read. It is written aside, fsynced and renamed, so that it is complete
 * or absent. `write` gets the path of an empty file. @throws CommandFault
 */
export async function newFile<Result>(
  file: string,
  write: (aside: string) => Promise<Result> | Result,
): Promise<Result> {
  const folder = dirname(file);
  const aside = join(folder, `.${basename(file)}.${process.pid}.tmp`);
  try {
    refuseExisting(file);
    await withFile(aside, "wx", async () => undefined);
    const result = await write(aside);
    await withFile(aside, "r+", (handle) => handle.sync());
    refuseExisting(file);
    await rename(aside, file);
    // Windows cannot open a folder as a file, and does not need it to.
    if (process.platform !== "win32") await withFile(folder, "r", (handle) => handle.sync());
    return result;
  } catch (error) {
    await rm(aside, { force: true });
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

async function withFile(
  path: string,
  flags: string,
  use: (handle: { sync(): Promise<void> }) => Promise<void>,
): Promise<void> {
  const handle = await open(path, flags, 0o600);
  try {
    await use(handle);
  } finally {
    await handle.close();
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
