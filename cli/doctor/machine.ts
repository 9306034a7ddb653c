/** What the site runs on: Node, and the folder where the applications lie. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { Config } from "#lib/config.ts";
import { type Finding, fault, ok, warn } from "#lib/finding.ts";

const OLDEST_NODE = 24;
const MEGABYTE = 1_024 * 1_024;
/** Less than the first can fill up within days; less than the second, at any moment. */
const COMFORTABLE_BYTES = 1_024 * MEGABYTE;
const NEEDED_BYTES = 200 * MEGABYTE;
const OTHERS_MAY_READ = 0o004;

/** `f_type` of statfs(2). */
const FILE_SYSTEMS: Readonly<Record<number, "memory" | "container" | "network">> = {
  16914836: "memory",
  2240043254: "memory",
  2035054128: "container",
  26985: "network",
  20859: "network",
  4283649346: "network",
  4266872130: "network",
};

export function examineRuntime(version: string = process.versions.node): Finding {
  if (Number.parseInt(version, 10) >= OLDEST_NODE)
    return ok("node", `Node ${version}으로 실행됩니다.`);
  const sentence = `Node ${version}은 너무 오래되었습니다. node build/set-up.mjs로 프로젝트의 Node를 설치하거나 Node ${OLDEST_NODE} 이상을 써 주세요.`;
  return fault("node", sentence);
}

interface Measures {
  /** Bytes that must be free, and bytes that should be. */
  must: number;
  should: number;
  /** The type of the file system on which a folder lies. */
  typeOf(folder: string): number;
}

export function examineDataFolder(
  { dataDir }: Pick<Config, "dataDir">,
  measures: Partial<Measures> = {},
): Finding[] {
  const { must = NEEDED_BYTES, should = COMFORTABLE_BYTES } = measures;
  const { typeOf = (folder: string) => statfsSync(folder).type } = measures;
  if (!existsSync(dataDir)) {
    return [ok("data-folder", "데이터 폴더는 아직 없고, 처음 시작할 때 만들어집니다.")];
  }
  const unwritable = writingFault(dataDir, "데이터 폴더");
  if (unwritable) return [fault("data-folder", unwritable)];
  return [
    ok("data-folder", "데이터 폴더에 쓸 수 있습니다."),
    fileSystem(typeOf(dataDir)),
    room(dataDir, { must, should }),
    ...access(dataDir),
  ];
}

const WRITING_FAULTS: Readonly<Record<string, string>> = {
  EACCES: "사이트를 실행하는 사용자에게 쓰기 권한을 주세요(chown).",
  EROFS: "디스크가 읽기 전용입니다. 디스크 오류를 확인하고 다시 마운트해 주세요.",
  ENOSPC: "디스크가 가득 찼습니다. 공간을 비워 주세요.",
  EDQUOT: "디스크 할당량을 다 썼습니다. 공간을 비우거나 할당량을 늘려 주세요.",
  ENOTDIR: "DATA_DIR이 폴더가 아닙니다. .env에서 고쳐 주세요.",
};

/**
 * Why a folder cannot be written to; undefined when it can. `name` is the folder's name in the sentence. The
 * probe is fsynced, as an application is.
 */
export function writingFault(folder: string, name: string): string | undefined {
  const probe = join(folder, `.doctor-${process.pid}`);
  try {
    const file = openSync(probe, "wx", 0o600);
    try {
      writeSync(file, "doctor");
      fsyncSync(file);
    } finally {
      closeSync(file);
      rmSync(probe, { force: true });
    }
    return undefined;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const cure = WRITING_FAULTS[code] ?? "DATA_DIR과 디스크를 확인해 주세요.";
    return `${name}에 쓸 수 없습니다(${code}). ${cure}`;
  }
}

function fileSystem(type: number): Finding {
  switch (FILE_SYSTEMS[type]) {
    case "memory":
      return fault(
        "data-disk",
        "데이터 폴더가 메모리(tmpfs)에 있어 다시 켜면 신청이 모두 사라집니다. DATA_DIR을 디스크로 옮겨 주세요.",
      );
    case "network":
      return fault(
        "data-disk",
        "데이터 폴더가 네트워크 디스크에 있어 SQLite가 안전하지 않습니다. DATA_DIR을 이 서버의 디스크로 옮기거나 PostgreSQL을 써 주세요.",
      );
    case "container":
      return warn(
        "data-disk",
        "데이터 폴더가 컨테이너 안에 있어 컨테이너를 지우면 신청도 사라집니다. DATA_DIR에 볼륨을 연결해 주세요.",
      );
    default:
      return ok("data-disk", "데이터 폴더가 이 서버의 디스크에 있습니다.");
  }
}

function room(folder: string, needed: { must: number; should: number }): Finding {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const shown = `${Math.floor(free / MEGABYTE).toLocaleString("ko-KR")} MB`;
  if (free < needed.must) {
    return fault(
      "data-room",
      `디스크에 ${shown}만 남아 곧 신청을 받지 못합니다. 지금 공간을 비워 주세요.`,
    );
  }
  if (free < needed.should) {
    return warn(
      "data-room",
      `디스크에 ${shown}만 남았습니다. 오래된 파일을 지우거나 디스크를 늘려 주세요.`,
    );
  }
  return ok("data-room", `디스크에 ${shown}가 남아 있습니다.`);
}

/** Who may read the folder, and whether this command runs as its owner. */
function access(folder: string): Finding[] {
  const { mode, uid } = statSync(folder);
  const findings: Finding[] = [];
  if (process.platform !== "win32" && mode & OTHERS_MAY_READ) {
    findings.push(
      warn(
        "data-access",
        `서버의 다른 사용자도 데이터 폴더의 개인정보를 읽을 수 있습니다. chmod 700 ${folder} 을 실행해 주세요.`,
      ),
    );
  }
  const self = process.getuid?.();
  if (self !== undefined && self !== uid) {
    findings.push(
      warn(
        "data-owner",
        "데이터 폴더의 주인이 아닌 사용자로 점검하고 있어 결과가 다를 수 있습니다. 사이트를 실행하는 사용자로 다시 점검해 주세요(sudo -u).",
      ),
    );
  }
  return findings;
}
