/**
 * The embedded default: while no carrier is configured, each message is written to a folder, as it would
 * have been sent, for the owner or a test to read.
 */
import { statSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { formatApplicationId, parseApplicationId } from "#lib/application/application-id.ts";
import { seoulIso } from "#lib/application/seoul-time.ts";
import type { StoredApplication } from "#lib/application/stored-application.ts";
import { composeMail, mailFor } from "#lib/channels/mail/smtp.ts";
import { smsText } from "#lib/channels/sms/text.ts";
import type { WeeklySummary } from "#lib/channels/weekly-summary.ts";
import { wholeFile } from "#lib/whole-file.ts";

export interface OutboxFolder {
  folder: string;
  /** From and to whom the mails in it are; they go nowhere. */
  mail: { from: string; to: string[] };
}

type WriteFault = { error: string; advice: string };

export interface FileCarrier {
  /** Writes the message that would be sent; the fault, where it cannot. Never throws. */
  write(application: StoredApplication): Promise<WriteFault | undefined>;
  /** Writes the week's summary in place of the one before, which held the same people. Never throws. */
  writeSummary(summary: WeeklySummary): Promise<WriteFault | undefined>;
}

/** One file, so that nobody's data stays behind in an older one. */
const SUMMARY_FILE = "weekly-summary.eml";

/** For applications and the week's summary. A repeat writes the same file again. */
export function openFileCarrier({ folder, mail }: OutboxFolder): FileCarrier {
  async function write(name: string, content: () => Promise<string | Buffer>) {
    try {
      const bytes = await content();
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await wholeFile(join(folder, name), (aside) => writeFile(aside, bytes));
      return undefined;
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "no code";
      return {
        error: `the message's file cannot be written (${code})`,
        advice: `outbox 폴더에 파일을 쓸 수 없습니다(${code}). DATA_DIR의 권한과 디스크를 확인해 주세요.`,
      };
    }
  }
  return {
    write: (stored) =>
      write(fileName(stored), async () =>
        isText(stored)
          ? `${smsText(stored)}\n`
          : composeMail(mailFor({ kind: "application", application: stored }, mail)),
      ),
    writeSummary: (summary) =>
      write(SUMMARY_FILE, () => composeMail(mailFor({ kind: "weekly", summary }, mail))),
  };
}

/** Whether it would have been a text message; what looks automated never is one. */
function isText({ route, suspicion }: StoredApplication): boolean {
  return route === "sms" && suspicion === undefined;
}

/** `2026-12-01_093000_7K3M-PQ9X.txt`: date, time and number, no personal data. */
function fileName(stored: StoredApplication): string {
  const { submittedAt, applicationId } = stored;
  const [date = "", time = ""] = seoulIso(submittedAt).slice(0, 19).split("T");
  const ending = isText(stored) ? "txt" : "eml";
  return `${date}_${time.replaceAll(":", "")}_${formatApplicationId(applicationId)}.${ending}`;
}

/**
 * Deletes the messages that were written before a time, ms since the epoch; returns how many. The message of
 * an application that is still in the store stays: if it was only filed, nobody has it yet.
 */
export async function deleteMessagesBefore(
  folder: string,
  time: number,
  existing: (applicationIds: string[]) => Promise<string[]>,
): Promise<number> {
  const old: string[] = [];
  for (const name of await messagesIn(folder)) {
    // One that was written aside may have got its name meanwhile.
    const found = statSync(join(folder, name), { throwIfNoEntry: false });
    if (found && found.mtimeMs < time) old.push(name);
  }
  const kept = await existing(old.flatMap(applicationIdsIn));
  const expired = old.filter((name) => !applicationIdsIn(name).some((id) => kept.includes(id)));
  for (const name of expired) await rm(join(folder, name), { force: true });
  return expired.length;
}

function applicationIdsIn(name: string): string[] {
  const [, number = ""] = /_([^_.]+)\.(?:txt|eml)\b/.exec(name) ?? [];
  const applicationId = parseApplicationId(number);
  return applicationId === undefined ? [] : [applicationId];
}

/** Deletes the messages of these applications, and the summary that may name them; returns how many. */
export async function deleteMessagesOf(folder: string, applicationIds: string[]): Promise<number> {
  const numbers = applicationIds.map(formatApplicationId);
  const mayName = (name: string) =>
    name === SUMMARY_FILE || numbers.some((number) => name.includes(number));
  const theirs = numbers.length > 0 ? (await messagesIn(folder)).filter(mayName) : [];
  for (const name of theirs) await rm(join(folder, name), { force: true });
  return theirs.length;
}

/** The names of the messages, half-written ones included. */
async function messagesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return names.filter((name) => /\.(txt|eml|tmp)$/.test(name));
}
