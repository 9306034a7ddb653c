import { existsSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Config } from "#lib/config.ts";
import { errorCode } from "#lib/error-code.ts";
import { type Finding, findingCreators } from "#lib/finding.ts";

const { ok, warn, fault } = findingCreators("disk");

const MEGABYTE = 1_024 * 1_024;
/** A disk below COMFORTABLE_BYTES can be full within days, a disk below NEEDED_BYTES at any moment. */
const COMFORTABLE_BYTES = 1_024 * MEGABYTE;
const NEEDED_BYTES = 200 * MEGABYTE;

/** `f_type` of statfs(2): tmpfs and ramfs, which a restart empties. */
const IN_MEMORY: readonly number[] = [0x01021994, 0x858458f6];
/** Overlayfs, whose files are deleted with their container. */
const IN_CONTAINER = 0x794c7630;
/**
 * NFS, SMB, 9P, FUSE, Ceph, and folders that Docker Desktop, VirtualBox, VMware and Parallels share with a container or
 * guest: SQLite cannot rely on their locks and shared memory.
 */
const ON_NETWORK: readonly number[] = [
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546, 0x00c36400, 0x6a656a63,
  0x786f4256, 0xbacbacbc, 0x7c7c6673,
];

export function dataFolderFindings(
  { dataDir, databaseFile, databaseUrl }: Pick<Config, "dataDir" | "databaseFile" | "databaseUrl">,
  sqlite = process.versions.sqlite,
): Finding[] {
  const folder = nearestExistingFolder(dataDir);
  const fault = writeFault(folder);
  if (fault) return [fault];
  const lasting = databaseUrl ? [] : new Set([dataDir, dirname(databaseFile)]);
  const found = [...lasting].flatMap((each) =>
    fileSystemFinding(each, statfsSync(nearestExistingFolder(each)).type),
  );
  if (!databaseUrl) found.push(...sqliteFinding(sqlite));
  if (folder !== dataDir)
    return [...found, ok("데이터 폴더는 아직 없고, 처음 시작할 때 만들어집니다.")];
  const { bavail, bsize } = statfsSync(dataDir);
  return [...found, ...ownerFindings(dataDir), freeSpaceFinding(bavail * bsize)];
}

export function nearestExistingFolder(folder: string): string {
  return existsSync(folder) ? folder : nearestExistingFolder(dirname(folder));
}

/** Permission bits do not show a read-only disk, so the function writes a file. */
function writeFault(folder: string): Finding | undefined {
  const probe = join(folder, `.write-probe-${process.pid}`);
  try {
    readdirSync(folder);
    writeFileSync(probe, "", { flag: "wx", mode: 0o600 });
    rmSync(probe);
    return undefined;
  } catch (error) {
    return unwritableFolderFinding(folder, errorCode(error) || String(error));
  }
}

/** The remedy also names `df -i`, because a disk with free space may have no inode left. */
export function unwritableFolderFinding(folder: string, code: string): Finding {
  const remedy = ["ENOSPC", "EDQUOT"].includes(code)
    ? "디스크에 남은 공간(df -h)과 파일 수(df -i)를 확인하고, 오래된 파일을 지워 주세요."
    : "사이트를 실행하는 사용자에게 쓰기 권한이 있는지(chown), 디스크가 읽기 전용인지, .env의 DATA_DIR이 맞는지 확인해 주세요.";
  return fault(`데이터 폴더에 쓸 수 없습니다(${folder}: ${code}). ${remedy}`);
}

export function fileSystemFinding(folder: string, type: number): Finding[] {
  if (IN_MEMORY.includes(type)) {
    const sentence = `${folder} 폴더가 메모리(tmpfs)에 있어 다시 켜면 신청이 모두 사라집니다. DATA_DIR과 DATABASE_URL을 디스크로 옮겨 주세요.`;
    return [fault(sentence)];
  }
  if (type === IN_CONTAINER) {
    const sentence = `${folder} 폴더가 컨테이너 안에만 있어 컨테이너를 새로 만들면 신청이 모두 사라집니다. 이 폴더에 볼륨을 연결하거나 PostgreSQL을 써 주세요.`;
    return [fault(sentence)];
  }
  if (!ON_NETWORK.includes(type)) return [];
  const sentence = `${folder} 폴더가 네트워크 디스크나 공유 폴더에 있는 것 같습니다. SQLite는 그곳에서 손상될 수 있으니 서버 안의 디스크(컨테이너라면 볼륨)로 옮기거나 PostgreSQL을 써 주세요.`;
  return [warn(sentence)];
}

/**
 * SQLite before 3.51.3 and 3.50.7 can lose a commit while another process moves the journal into the database, such as
 * a command: https://sqlite.org/wal.html#walresetbug
 */
function sqliteFinding(version = ""): Finding[] {
  const [, minor = 0, patch = 0] = version.split(".").map(Number);
  const isMended = minor > 51 || (minor === 51 && patch >= 3) || (minor === 50 && patch >= 7);
  if (isMended) return [];
  const sentence = `이 서버의 Node에 든 SQLite ${version}에는 명령을 실행하는 동안 들어온 신청을 잃을 수 있는 결함이 있습니다. npm ci로 사이트의 Node를 설치하거나 최신 Node로 바꿔 주세요.`;
  return [warn(sentence)];
}

/** Commands run as the folder's owner, who perhaps cannot write the files of other users. */
function ownerFindings(dataDir: string): Finding[] {
  const owner = statSync(dataDir).uid;
  const uidOf = (name: string) => statSync(join(dataDir, name), { throwIfNoEntry: false })?.uid;
  const strangers = readdirSync(dataDir).filter((name) => (uidOf(name) ?? owner) !== owner);
  if (strangers.length === 0) return [];
  const sentence = `데이터 폴더의 주인과 다른 사용자의 파일이 있어 사이트가 쓰지 못할 수 있습니다: ${strangers.join(", ")}. 고치려면: chown -R --reference=${dataDir} ${dataDir}`;
  return [warn(sentence)];
}

export function freeSpaceFinding(bytes: number): Finding {
  const megabytes = `${Math.floor(bytes / MEGABYTE).toLocaleString("ko-KR")} MB`;
  if (bytes >= COMFORTABLE_BYTES) {
    return ok(`데이터 폴더에 쓸 수 있고, 디스크에 ${megabytes}가 남아 있습니다.`);
  }
  const sentence = `디스크에 ${megabytes}만 남았습니다. 다 차면 신청을 받지 못합니다. 오래된 파일을 지우거나 디스크를 늘려 주세요.`;
  const level = bytes < NEEDED_BYTES ? fault : warn;
  return level(sentence);
}
