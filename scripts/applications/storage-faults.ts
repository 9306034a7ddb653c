import type { UnavailableReason } from "#lib/storage/store.ts";

/** What is wrong with the database, in the owner's words; the log's sentence with the details comes after it. */
export const STORAGE_FAULTS: Readonly<Record<UnavailableReason, string>> = {
  locked: "다른 프로그램이 데이터베이스를 쓰고 있습니다. 잠시 뒤에 다시 해 주세요.",
  full: "디스크에 빈 자리가 없습니다. 자리를 비운 뒤 다시 해 주세요.",
  "read-only": "데이터베이스에 쓸 권한이 없습니다. 사이트를 실행하는 사용자로 다시 해 주세요.",
  corrupt: "데이터베이스가 손상되었습니다. 사이트를 멈추고 마지막 백업을 되돌려 주세요.",
  missing: "데이터베이스 파일이 없거나 비어 있습니다. 백업에서 되돌려 주세요.",
  "newer-schema": "데이터베이스가 이 프로그램보다 새것입니다. 새 버전의 프로그램으로 해 주세요.",
  closed: "데이터베이스가 닫혔습니다. 다시 해 주세요.",
  failing: "데이터베이스를 쓸 수 없습니다. 디스크와 .env의 DATABASE_URL을 확인해 주세요.",
};
