/** The folder where the applications lie. */
import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { type Finding, fault, ok, warn } from "#lib/finding.ts";

const MEGABYTE = 1_024 * 1_024;
/** Less than the first can fill up within days; less than the second, at any moment. */
const COMFORTABLE_BYTES = 1_024 * MEGABYTE;
const NEEDED_BYTES = 200 * MEGABYTE;

/** `f_type` of statfs(2) for what a restart empties: tmpfs and ramfs. */
const IN_MEMORY: readonly number[] = [0x01021994, 0x858458f6];

export function examineDataFolder(dataDir: string): Finding[] {
  if (!existsSync(dataDir)) {
    return [ok("데이터 폴더는 아직 없고, 처음 시작할 때 만들어집니다.")];
  }
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : error;
    const sentence = `데이터 폴더에 쓸 수 없습니다(${code}). 사이트를 실행하는 사용자에게 쓰기 권한이 있는지(chown), 디스크가 읽기 전용인지, .env의 DATA_DIR이 맞는지 확인해 주세요.`;
    return [fault(sentence)];
  }
  const { type, bavail, bsize } = statfsSync(dataDir);
  const inMemory =
    "데이터 폴더가 메모리(tmpfs)에 있어 다시 켜면 신청이 모두 사라집니다. DATA_DIR을 디스크로 옮겨 주세요.";
  return [...(IN_MEMORY.includes(type) ? [fault(inMemory)] : []), room(bavail * bsize)];
}

export function room(bytes: number): Finding {
  const megabytes = `${Math.floor(bytes / MEGABYTE).toLocaleString("ko-KR")} MB`;
  if (bytes >= COMFORTABLE_BYTES) {
    return ok(`데이터 폴더에 쓸 수 있고, 디스크에 ${megabytes}가 남아 있습니다.`);
  }
  const sentence = `디스크에 ${megabytes}만 남았습니다. 다 차면 신청을 받지 못합니다. 오래된 파일을 지우거나 디스크를 늘려 주세요.`;
  return bytes < NEEDED_BYTES ? fault(sentence) : warn(sentence);
}
