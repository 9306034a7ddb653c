import { existsSync } from "node:fs";
import type { Config } from "#lib/config.ts";
import type { UnavailableReason } from "#lib/storage/errors.ts";

const RESTORE = "사이트를 멈추고 파일을 따로 보관한 뒤 마지막 백업을 복원해 주세요.";

/** What is wrong with the database and what to do, in the owner's words. */
export const STORAGE_FAULTS: Readonly<Record<UnavailableReason, string>> = {
  locked:
    "다른 프로그램이 데이터베이스를 잠그고 있습니다. 데이터베이스를 열어 둔 프로그램을 닫아 주세요.",
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
    "데이터베이스를 열 수 없습니다. DATABASE_URL과 디스크, 데이터베이스 서버를 확인해 주세요.",
};

/** Whether the site has ever begun one here: looking must not begin an empty one, such as in a mistyped folder. */
export function hasDatabase({ databaseFile, databaseUrl }: Config): boolean {
  return databaseUrl !== undefined || [databaseFile, `${databaseFile}.created`].some(existsSync);
}
