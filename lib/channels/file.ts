/** The channel `file`: while no other channel is configured, applications and weekly summaries become files. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { formatApplicationId, parseApplicationId } from "#lib/application/application-id.ts";
import { MINUTE } from "#lib/application/durations.ts";
import { fileNameTime } from "#lib/application/seoul-time.ts";
import { writeAtomically } from "#lib/atomic-file.ts";
import type { Channel, MessageContent } from "#lib/channels/channel.ts";
import { composeMailFields, encodeMail } from "#lib/channels/mail/message.ts";
import { composeApplicationSms } from "#lib/channels/sms/text.ts";
import { errorCode } from "#lib/error-code.ts";
import type { Answer } from "#lib/storage/outcomes.ts";
import type { StoredApplication } from "#lib/storage/stored-application.ts";

/** Each weekly summary replaces the previous one, so that no old summary keeps personal data. */
const SUMMARY_FILE = "weekly-summary.eml";
const FILE_RECIPIENT = "outbox";
/** For a mail that becomes a file. */
const INVENTED_ADDRESSES = {
  from: { name: "", address: "site@localhost" },
  to: ["owner@localhost"],
};

/** A repeated message overwrites its file. */
export function openFileChannel(folder: string): Channel {
  return {
    recipients: [FILE_RECIPIENT],
    slots: 8,
    timeoutMs: MINUTE,
    segments: () => 0,
    isShortened: () => false,
    async transmit(message, _recipient, { beforeTransmit = async () => true }) {
      if (!(await beforeTransmit())) return { outcome: "not-sent" };
      return writeMessage(folder, message).then(
        (): Answer => ({ outcome: "delivered" }),
        (error: unknown) => answerOfWriteError(errorCode(error) || "no code"),
      );
    },
  };
}

async function writeMessage(folder: string, message: MessageContent): Promise<void> {
  const name = "application" in message ? fileName(message.application) : SUMMARY_FILE;
  const content =
    name.endsWith(".txt") && "application" in message
      ? `${composeApplicationSms(message.application).text}\n`
      : await encodeMail(composeMailFields(message, INVENTED_ADDRESSES));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeAtomically(join(folder, name), (temporary) => writeFile(temporary, content));
}

const answerOfWriteError = (code: string): Answer => ({
  outcome: "not-sent",
  fault: {
    error: `the message's file cannot be written (${code})`,
    advice: `outbox 폴더에 파일을 쓸 수 없습니다(${code}). DATA_DIR의 권한과 디스크를 확인해 주세요.`,
    about: "channel",
  },
});

/** `2026-12-01_093000_7K3M-PQ9X.txt` for an SMS, `.eml` for a mail. Suspicious applications go by mail. */
function fileName({ submittedAt, applicationId, route, suspicion }: StoredApplication): string {
  const ending = route === "sms" && suspicion === undefined ? "txt" : "eml";
  return `${fileNameTime(submittedAt)}_${formatApplicationId(applicationId)}.${ending}`;
}

/** Deletes files from before `time`, unless their application is still stored. Returns the number of deleted files. */
export async function deleteExpiredFiles(
  folder: string,
  time: number,
  findStoredIds: (applicationIds: string[]) => Promise<string[]>,
): Promise<number> {
  const old = listMessageFiles(folder).filter((name) => {
    // Another process may have renamed the file since the listing.
    const found = statSync(join(folder, name), { throwIfNoEntry: false });
    return found && found.mtimeMs < time;
  });
  const stillStored = await findStoredIds(old.map(applicationIdIn).filter((id) => id !== ""));
  const expired = old.filter((name) => !stillStored.includes(applicationIdIn(name)));
  return deleteFiles(folder, expired);
}

/** Deletes the weekly summary too, because it may contain the application. Returns the number of deleted files. */
export async function deleteFilesAbout(folder: string, applicationId: string): Promise<number> {
  const names = listMessageFiles(folder).filter(
    (name) => name === SUMMARY_FILE || applicationIdIn(name) === applicationId,
  );
  return deleteFiles(folder, names);
}

async function deleteFiles(folder: string, names: readonly string[]): Promise<number> {
  for (const name of names) await rm(join(folder, name), { force: true });
  return names.length;
}

function applicationIdIn(name: string): string {
  return parseApplicationId(/_([^_.]+)\.(?:txt|eml)\b/.exec(name)?.[1] ?? "") ?? "";
}

/** Includes the temporary files of interrupted writes, so that they are deleted too. */
function listMessageFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => /\.(txt|eml|tmp)$/.test(name));
}
