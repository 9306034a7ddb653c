/** What the site runs on: Node, and the folder where the applications lie. */
import { existsSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "#lib/config.ts";
import { type Finding, fault, ok, warn } from "#lib/finding.ts";

const OLDEST_NODE = 24;
const MEGABYTE = 1_024 * 1_024;
/** Less than the first can fill up within days; less than the second, at any moment. */
const COMFORTABLE_BYTES = 1_024 * MEGABYTE;
const NEEDED_BYTES = 200 * MEGABYTE;
const OTHERS_MAY_READ = 0o004;

/** `f_type` of statfs(2) for what a restart empties: tmpfs and ramfs. */
const IN_MEMORY: readonly number[] = [0x01021994, 0x858458f6];

export function examineRuntime(version: string = process.versions.node): Finding {
  if (Number.parseInt(version, 10) >= OLDEST_NODE)
    return ok("node", `Node ${version}으로 실행됩니다.`);
  const sentence = `Node ${version}은 너무 오래되었습니다. node build/set-up.mjs로 프로젝트의 Node를 설치하거나 Node ${OLDEST_NODE} 이상을 써 주세요.`;
  return fault("node", sentence);
}

export function examineDataFolder(
  { dataDir }: Pick<Config, "dataDir">,
  { must = NEEDED_BYTES, should = COMFORTABLE_BYTES } = {},
): Finding[] {
  if (!existsSync(dataDir)) {
    return [ok("data-folder", "데이터 폴더는 아직 없고, 처음 시작할 때 만들어집니다.")];
  }
  const unwritable = writingFault(dataDir);
  if (unwritable) return [fault("data-folder", unwritable)];
  const { type, bavail, bsize } = statfsSync(dataDir);
  const findings = [
    ok("data-folder", "데이터 폴더에 쓸 수 있습니다."),
    room(bavail * bsize, { must, should }),
  ];
  if (IN_MEMORY.includes(type)) {
    const sentence =
      "데이터 폴더가 메모리(tmpfs)에 있어 다시 켜면 신청이 모두 사라집니다. DATA_DIR을 디스크로 옮겨 주세요.";
    findings.push(fault("data-disk", sentence));
  }
  if (process.platform !== "win32" && statSync(dataDir).mode & OTHERS_MAY_READ) {
    const sentence = `서버의 다른 사용자도 데이터 폴더의 개인정보를 읽을 수 있습니다. chmod 700 ${dataDir} 을 실행해 주세요.`;
    findings.push(warn("data-access", sentence));
  }
  return findings;
}

const WRITING_FAULTS: Readonly<Record<string, string>> = {
  EACCES: "사이트를 실행하는 사용자에게 쓰기 권한을 주세요(chown).",
  EROFS: "디스크가 읽기 전용입니다. 디스크 오류를 확인하고 다시 마운트해 주세요.",
  ENOSPC: "디스크가 가득 찼습니다. 공간을 비워 주세요.",
  EDQUOT: "디스크 할당량을 다 썼습니다. 공간을 비우거나 할당량을 늘려 주세요.",
  ENOTDIR: "DATA_DIR이 폴더가 아닙니다. .env에서 고쳐 주세요.",
};

/** Why nothing can be written into the folder; undefined when it can. The probe is fsynced, as an application is. */
function writingFault(folder: string): string | undefined {
  const probe = join(folder, `.doctor-${process.pid}`);
  try {
    writeFileSync(probe, "doctor", { flag: "wx", mode: 0o600, flush: true });
    return undefined;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const cure = WRITING_FAULTS[code] ?? "DATA_DIR과 디스크를 확인해 주세요.";
    return `데이터 폴더에 쓸 수 없습니다(${code}). ${cure}`;
  } finally {
    if (existsSync(probe)) rmSync(probe);
  }
}

function room(free: number, needed: { must: number; should: number }): Finding {
  const shown = `${Math.floor(free / MEGABYTE).toLocaleString("ko-KR")} MB`;
  if (free < needed.must) {
    const sentence = `디스크에 ${shown}만 남아 곧 신청을 받지 못합니다. 지금 공간을 비워 주세요.`;
    return fault("data-room", sentence);
  }
  return free < needed.should
    ? warn(
        "data-room",
        `디스크에 ${shown}만 남았습니다. 오래된 파일을 지우거나 디스크를 늘려 주세요.`,
      )
    : ok("data-room", `디스크에 ${shown}가 남아 있습니다.`);
}
