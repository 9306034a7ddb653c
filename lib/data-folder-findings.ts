import { existsSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Config } from "#lib/config.ts";
import { errorCode } from "#lib/error-code.ts";
import { type Finding, findingCreators } from "#lib/finding.ts";

const { ok, warn, fault } = findingCreators("disk");

const MEGABYTE = 1_024 * 1_024;
/** A disk below COMFORTABLE_BYTES can be full within days, a disk below NEEDED_BYTES at any moment. */
const COMFORTABLE_BYTES = 1_024 * MEGABYTE;
const NEEDED_BYTES = 200 * MEGABYTE;

const IN_MEMORY_ADVICE =
  "메모리(tmpfs)에 있어 다시 켜면 신청이 모두 사라집니다. DATA_DIR과 DATABASE_URL을 디스크로 옮겨 주세요.";
const WITHOUT_VOLUME_ADVICE =
  "컨테이너 안에만 있어 컨테이너를 새로 만들면 신청이 모두 사라집니다. 이 폴더에 볼륨을 연결하거나 PostgreSQL을 써 주세요.";
/** `f_type` of statfs(2): tmpfs, ramfs and overlayfs. */
const EPHEMERAL_FILE_SYSTEMS = new Map([
  [0x01021994, IN_MEMORY_ADVICE],
  [0x858458f6, IN_MEMORY_ADVICE],
  [0x794c7630, WITHOUT_VOLUME_ADVICE],
]);

export function dataFolderFindings(
  { dataDir, databaseFile, databaseUrl }: Pick<Config, "dataDir" | "databaseFile" | "databaseUrl">,
  sqlite = process.versions.sqlite,
): Finding[] {
  const existing = nearestExistingFolder(dataDir);
  const faults = probeFolder(existing, existing === dataDir);
  if (faults.length > 0) return faults;
  const space = statfsSync(existing);
  const folderFinding =
    existing === dataDir
      ? freeSpaceFinding(space.bavail * space.bsize)
      : ok("데이터 폴더는 아직 없고, 처음 시작할 때 만들어집니다.");
  if (databaseUrl) return [folderFinding];
  const ephemeral = [...new Set([dataDir, dirname(databaseFile)])].flatMap((folder) =>
    ephemeralFolderFindings(folder, statfsSync(nearestExistingFolder(folder)).type),
  );
  return [...ephemeral, ...sqliteFindings(sqlite), folderFinding];
}

export function nearestExistingFolder(folder: string): string {
  return existsSync(folder) ? folder : nearestExistingFolder(dirname(folder));
}

/**
 * Tries to write a file, because permission bits do not show a read-only disk. The folders inside are tried too: a
 * command that root has run may have left one that belongs to root.
 */
function probeFolder(folder: string, includesSubfolders: boolean): Finding[] {
  const probe = join(folder, `.write-probe-${process.pid}`);
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    writeFileSync(probe, "", { flag: "wx", mode: 0o600 });
    rmSync(probe);
    if (!includesSubfolders) return [];
    // The file system itself keeps lost+found, at the root of a volume.
    const own = entries.filter((entry) => entry.isDirectory() && entry.name !== "lost+found");
    return own.flatMap(({ name }) => probeFolder(join(folder, name), false));
  } catch (error) {
    return [unwritableFolderFinding(folder, errorCode(error) || String(error))];
  }
}

/** The remedy also names `df -i`, because a disk with free space may have no inode left. */
export function unwritableFolderFinding(folder: string, code: string): Finding {
  const remedy = ["ENOSPC", "EDQUOT"].includes(code)
    ? "디스크에 남은 공간(df -h)과 파일 수(df -i)를 확인하고, 오래된 파일을 지워 주세요."
    : "사이트를 실행하는 사용자에게 쓰기 권한이 있는지(chown), 디스크가 읽기 전용인지, .env의 DATA_DIR이 맞는지 확인해 주세요.";
  return fault(`데이터 폴더에 쓸 수 없습니다(${folder}: ${code}). ${remedy}`);
}

/** A finding about a folder that a restart or a new container empties. */
export function ephemeralFolderFindings(folder: string, type: number): Finding[] {
  const why = EPHEMERAL_FILE_SYSTEMS.get(type);
  return why === undefined ? [] : [fault(`${folder} 폴더가 ${why}`)];
}

/**
 * SQLite before 3.51.3 and 3.50.7 can lose a commit while another process, such as a command, moves the journal into
 * the database: https://sqlite.org/wal.html#walresetbug
 */
function sqliteFindings(version = ""): Finding[] {
  const [, minor = 0, patch = 0] = version.split(".").map(Number);
  const isFixed = minor > 51 || (minor === 51 && patch >= 3) || (minor === 50 && patch >= 7);
  if (isFixed) return [];
  const sentence = `이 서버의 Node에 든 SQLite ${version}에는 명령을 실행하는 동안 들어온 신청을 잃을 수 있는 결함이 있습니다. npm ci로 사이트의 Node를 설치하거나 최신 Node로 바꿔 주세요.`;
  return [warn(sentence)];
}

export function freeSpaceFinding(bytes: number): Finding {
  const megabytes = `${Math.floor(bytes / MEGABYTE).toLocaleString("ko-KR")} MB`;
  if (bytes >= COMFORTABLE_BYTES) {
    return ok(`데이터 폴더에 쓸 수 있고, 디스크에 ${megabytes}가 남아 있습니다.`);
  }
  const sentence = `디스크에 ${megabytes}만 남았습니다. 다 차면 신청을 받지 못합니다. 오래된 파일을 지우거나 디스크를 늘려 주세요.`;
  const createFinding = bytes < NEEDED_BYTES ? fault : warn;
  return createFinding(sentence);
}
