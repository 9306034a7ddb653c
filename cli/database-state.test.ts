import { createServer, type Server } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { describeStorageError } from "#cli/database-state.ts";
import { parseConfig } from "#lib/config.ts";
import { translatePostgresError } from "#lib/storage/postgres/errors.ts";
import { translateSqliteError } from "#lib/storage/sqlite/errors.ts";
import { listeningPort } from "#testing/peers/listening-port.ts";
import { runOwnerCommand, runProgram } from "#testing/site/command-line.ts";
import { makeTemporaryFolder } from "#testing/storage/temporary-folder.ts";

/** The error message of a PostgreSQL server. https://www.postgresql.org/docs/18/protocol-error-fields.html */
function errorAnswer(code: string): Buffer {
  const fields = `SFATAL\0VFATAL\0C${code}\0Mthe words of the server\0\0`;
  const answer = Buffer.alloc(5 + fields.length);
  answer.write("E");
  answer.writeUInt32BE(answer.length - 1, 1);
  answer.write(fields, 5);
  return answer;
}

async function serverThatAnswers(answer: Buffer): Promise<number> {
  const server: Server = createServer((socket) => {
    socket.on("error", () => undefined).once("data", () => socket.end(answer));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  return listeningPort(server);
}

test.each([
  ["the error 3F000", errorAnswer("3F000"), "", /3F000: the words of the server/],
  ["a broken TLS handshake", Buffer.from("S no TLS at all"), "?sslmode=require", /E[A-Z]+|SSL/],
])("list and doctor report %s in a sentence", async (_what, answer, query, words) => {
  const port = await serverThatAnswers(answer);
  const env = {
    NODE_ENV: "production" as const,
    DATA_DIR: makeTemporaryFolder(),
    DATABASE_URL: `postgres://site@127.0.0.1:${port}/site${query}`,
  };
  const listed = await runOwnerCommand({ env }, "list");
  expect(listed).toMatchObject({ code: 1, stderr: expect.stringMatching(words) });
  const { stdout: said } = await runProgram("cli/doctor.ts", [], { env });
  expect(said).toMatch(words);
  expect(said).toMatch(/데이터 폴더에 쓸 수 있고[\s\S]*문의 전화[\s\S]*고장 \d/);
  expect(said + listed.said).not.toMatch(/ {4}at |"level"/);
});

const SQLITE_CONFIG = parseConfig({});
const POSTGRES_CONFIG = parseConfig({ DATABASE_URL: "postgres://site@127.0.0.1/site" });
const byServer = (code: string | undefined, words: string) =>
  translatePostgresError(Object.assign(new Error(words), { code }), "db/site");
const denied = byServer("42501", "permission denied for schema public");
const unknown = translateSqliteError(
  Object.assign(new Error("access permission denied"), { code: "ERR_SQLITE_ERROR", errcode: 3 }),
  "applications.db",
);
const untrusted = (code: string) => byServer(code, "cannot be verified");

test.each([
  [
    "a denied permission",
    POSTGRES_CONFIG,
    denied,
    /GRANT.+\(db\/site: 42501: permission denied for schema/,
  ],
  ["a read-only server", POSTGRES_CONFIG, byServer("25006", "read-only"), /디스크가 가득.+ 25006/],
  [
    "an unknown code",
    SQLITE_CONFIG,
    unknown,
    /열 수 없습니다\..+\(applications\.db: SQLite error 3: access permission denied/,
  ],
  [
    "an unknown error",
    POSTGRES_CONFIG,
    byServer(undefined, "odd"),
    /서버를 쓸 수 없습니다\..+\(db\/site: odd\)$/,
  ],
  ["an unknown authority", POSTGRES_CONFIG, untrusted("SELF_SIGNED_CERT_IN_CHAIN"), /sslrootcert=/],
  [
    "a lone certificate",
    POSTGRES_CONFIG,
    untrusted("UNABLE_TO_VERIFY_LEAF_SIGNATURE"),
    /sslrootcert=/,
  ],
  ["a weak certificate", POSTGRES_CONFIG, untrusted("UNSPECIFIED"), /sslrootcert=/],
  ["a certificate of no authority", POSTGRES_CONFIG, untrusted("INVALID_CA"), /sslrootcert=/],
  ["an expired certificate", POSTGRES_CONFIG, untrusted("CERT_HAS_EXPIRED"), /기간.+시계/],
  ["a certificate before its time", POSTGRES_CONFIG, untrusted("CERT_NOT_YET_VALID"), /기간.+시계/],
  [
    "another host",
    POSTGRES_CONFIG,
    untrusted("ERR_TLS_CERT_ALTNAME_INVALID"),
    /서버 이름이 인증서와/,
  ],
])("the sentence about %s names the cause or the remedy [80]", (_what, config, error, sentence) => {
  const said = describeStorageError(error, config);
  expect(said).toMatch(sentence);
  if (config === POSTGRES_CONFIG) expect(said).not.toMatch(/파일|폴더/);
});
