import { statSync } from "node:fs";
import type { Config } from "#lib/config.ts";
import { StorageUnavailable, type UnavailableReason } from "#lib/storage/errors.ts";

const RESTORE = "사이트를 멈추고 파일을 따로 보관한 뒤 마지막 백업을 복원해 주세요.";

/** The owner's words for each reason: the fault and the remedy. */
export const STORAGE_FAULTS: Readonly<Record<UnavailableReason, string>> = {
  locked:
    "데이터베이스를 잠글 수 없습니다. 다른 프로그램이 열어 두었으면 닫아 주세요. 네트워크 디스크(NFS, SMB)라면 서버 안의 디스크로 옮겨 주세요.",
  full: "데이터베이스가 있는 디스크가 가득 찼습니다. 공간을 비워 주세요.",
  "read-only":
    "데이터베이스에 쓸 수 없습니다. 사이트를 실행하는 사용자에게 파일과 폴더의 쓰기 권한을 주세요.",
  corrupt: `데이터베이스 파일이 손상되었습니다. ${RESTORE}`,
  missing:
    "만들어져 있던 데이터베이스 파일이 없거나 비어 있습니다. 백업을 복원해 주세요. 이전 신청 없이 새로 시작할 때만 .created 파일을 지웁니다.",
  foreign:
    "데이터베이스 자리에 다른 프로그램의 데이터베이스가 있습니다. 아무것도 쓰지 않았습니다. .env의 DATA_DIR과 DATABASE_URL이 맞는지 확인해 주세요.",
  "too-old":
    "1.0.0보다 오래된 버전의 데이터베이스라 이 프로그램은 쓸 수 없습니다. 아무것도 쓰지 않았습니다. 그 버전의 프로그램으로 신청을 확인한 뒤, 데이터베이스 파일과 .created 파일을 다른 곳으로 옮겨 주세요.",
  "newer-schema":
    "더 새로운 버전의 프로그램이 데이터베이스를 이미 바꾸었습니다. 새 버전을 다시 켜거나 업데이트 전 백업을 복원해 주세요.",
  hanging:
    "데이터베이스가 있는 디스크가 응답하지 않습니다. 디스크와 연결 상태를 확인해 주세요. 다시 응답하면 저절로 이어집니다.",
  closed: "데이터베이스가 닫혀 있습니다. 다시 점검해 주세요.",
  failing:
    "데이터베이스를 열 수 없습니다. 파일과 폴더의 권한, 디스크, .env의 DATA_DIR과 DATABASE_URL을 확인해 주세요.",
};

/** The same for a PostgreSQL server, which has rights and no files. */
const SERVER_FAULTS: Partial<Record<UnavailableReason, string>> = {
  locked: "데이터베이스의 다른 작업이 끝나지 않아 기다리다 그만두었습니다. 잠시 뒤 다시 해 주세요.",
  "read-only":
    "데이터베이스 서버에 쓸 수 없습니다. DATABASE_URL의 사용자에게 테이블을 만들고 쓸 권한을 주세요(GRANT). 읽기 전용 서버(standby)라면 DATABASE_URL에 주 서버를 적어 주세요.",
  corrupt: "데이터베이스 서버의 자료가 손상되었습니다. 서버의 로그를 보고 백업을 복원해 주세요.",
  missing: "데이터베이스 서버에 있던 테이블이 없습니다. 백업을 복원해 주세요.",
  failing:
    "데이터베이스 서버를 쓸 수 없습니다. .env의 DATABASE_URL과 데이터베이스 서버를 확인해 주세요.",
};

/** A Korean sentence about a fault of the database, with the database's own words. They hold no personal data. */
export function storageSentence(error: unknown, { databaseUrl }: Config): string {
  const reason = error instanceof StorageUnavailable ? error.reason : "failing";
  const sentence = (databaseUrl && SERVER_FAULTS[reason]) ?? STORAGE_FAULTS[reason];
  const cause = error instanceof StorageUnavailable ? error.cause : error;
  return cause instanceof Error ? `${sentence} (${ownWords(cause)})` : sentence;
}

function ownWords(cause: Error): string {
  const code = "errcode" in cause ? cause.errcode : "code" in cause ? cause.code : "";
  return [code, cause.message].filter(Boolean).join(": ");
}

/** A command must not begin an empty database, such as in a mistyped folder. */
export function hasDatabase({ databaseFile, databaseUrl }: Config): boolean {
  return databaseUrl !== undefined || [databaseFile, `${databaseFile}.created`].some(mayExist);
}

/** True also where it cannot be seen: opening it says why. */
function mayExist(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
