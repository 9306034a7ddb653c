const RESTORE_ADVICE = "사이트를 멈추고 파일을 따로 보관한 뒤 마지막 백업을 복원해 주세요.";

const FILE_ADVICE = {
  locked:
    "데이터베이스를 잠글 수 없습니다. 다른 프로그램이 열어 두었으면 닫아 주세요. 네트워크 디스크(NFS, SMB)라면 서버 안의 디스크로 옮겨 주세요.",
  full: "데이터베이스가 있는 디스크가 가득 찼습니다. 공간을 비워 주세요.",
  "read-only":
    "데이터베이스에 쓸 수 없습니다. 사이트를 실행하는 사용자에게 파일과 폴더의 쓰기 권한이 있는지, 디스크가 읽기 전용이 아닌지 확인해 주세요.",
  corrupt: `데이터베이스 파일이 손상되었습니다. ${RESTORE_ADVICE}`,
  missing:
    "만들어져 있던 데이터베이스 파일이 없거나 비어 있습니다. 파일을 제자리에 두거나 디스크를 다시 연결하거나, 백업을 복원해 주세요. 이전 신청 없이 새로 시작할 때만 사이트를 멈추고 .created 파일을 지웁니다.",
  foreign:
    "데이터베이스 자리에 다른 프로그램의 데이터베이스가 있습니다. 아무것도 쓰지 않았습니다. .env의 DATA_DIR과 DATABASE_URL이 맞는지 확인해 주세요.",
  "newer-schema":
    "더 새로운 버전의 프로그램이 데이터베이스를 이미 바꾸었습니다. 새 버전을 다시 켜거나 업데이트 전 백업을 복원해 주세요.",
  "older-schema":
    "데이터베이스가 이전 버전의 것이라 아무것도 하지 않았습니다. 이 버전의 사이트를 시작하면 백업을 만든 뒤 데이터베이스를 바꾸고, 그때부터 쓸 수 있습니다. PostgreSQL이라면 먼저 pg_dump로 백업해 주세요.",
  untrusted:
    "데이터베이스 서버의 인증서를 확인할 수 없습니다. 서비스가 주는 CA 인증서를 서버에 두고, .env의 DATABASE_URL 끝에 ?sslmode=verify-full&sslrootcert=인증서경로를 적어 주세요.",
  "wrong-certificate":
    "데이터베이스 서버의 인증서가 맞지 않습니다. .env에 적은 DATABASE_URL의 서버 이름이 인증서와 같은지, 인증서의 기간이 지나지 않았는지, 이 서버의 시계가 맞는지 확인해 주세요.",
  closed: "데이터베이스가 닫혀 있습니다. 다시 점검해 주세요.",
  "bad-statement": "데이터베이스가 이 프로그램의 명령을 거절했습니다. 개발자에게 알려 주세요.",
  failing:
    "데이터베이스를 열 수 없습니다. 파일과 폴더의 권한, 디스크, .env의 DATA_DIR과 DATABASE_URL을 확인해 주세요.",
} satisfies Record<string, string>;

export type UnavailableReason = keyof typeof FILE_ADVICE;

/** Advice that differs for a PostgreSQL server. */
const SERVER_ADVICE: Partial<Record<UnavailableReason, string>> = {
  locked: "데이터베이스의 다른 작업이 끝나지 않아 기다리다 그만두었습니다. 잠시 뒤 다시 해 주세요.",
  "read-only":
    "데이터베이스 서버에 쓸 수 없습니다. DATABASE_URL의 사용자에게 테이블을 만들고 쓸 권한을 주세요(GRANT). 디스크가 가득 차 읽기 전용이 되었으면 늘려 주시고, 읽기 전용 서버(standby)라면 DATABASE_URL에 주 서버를 적어 주세요.",
  corrupt: "데이터베이스 서버의 자료가 손상되었습니다. 서버의 로그를 보고 백업을 복원해 주세요.",
  missing: "데이터베이스 서버에 있던 테이블이 없습니다. 백업을 복원해 주세요.",
  failing:
    "데이터베이스 서버를 쓸 수 없습니다. .env의 DATABASE_URL과 데이터베이스 서버를 확인해 주세요.",
};

export function storageAdvice(reason: UnavailableReason, isServer: boolean): string {
  return (isServer && SERVER_ADVICE[reason]) || FILE_ADVICE[reason];
}

/** The store cannot be used. The message tells the operator in Korean what is wrong and what to do. */
export class StorageUnavailable extends Error {
  override name = "StorageUnavailable";
  readonly reason: UnavailableReason;

  constructor(message: string, reason: UnavailableReason, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** The error about a SQLite file. `words`: from SQLite, the file system or the site, without personal data. */
export function fileError(
  fileName: string,
  reason: UnavailableReason,
  words: string,
  cause?: unknown,
): StorageUnavailable {
  const sentence = `${storageAdvice(reason, false)} (${fileName}: ${words})`;
  return new StorageUnavailable(sentence, reason, cause);
}

/** The move to PostgreSQL cannot be made. The message tells the operator what is wrong and what to do. */
export class MoveToPostgresRefused extends Error {}
