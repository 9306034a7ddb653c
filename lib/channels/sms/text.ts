import type { Channel, StoredApplication } from "#lib/application/stored-application.ts";
import { cleanLine } from "#lib/application/text.ts";
import { inertLinks } from "#lib/channels/defang-links.ts";
import { ownerView } from "#lib/channels/owner-view.ts";
import { toEucKr } from "#lib/channels/sms/euc-kr.ts";

/** What one SMS holds when it is not plain ASCII; Korea gets longer ones as separate messages. */
export const SMS_SEGMENT_CHARACTERS = 70;
/** Four segments: enough for a few sentences of the visitor's, and a known price per application. */
export const SMS_MAX_CHARACTERS = 4 * SMS_SEGMENT_CHARACTERS;

/** What stands for a text of which nothing can be sent, such as a name of emoji. */
const ONLY_PICTURES = "□";
const SHORTENED = "…";
const REST_IS_STORED = "… (이하 생략, 전체는 서버에 보관)";

/**
 * The SMS to the owner: one line per field, what is needed to call back within the first 70
 * characters, then the visitor's message on one line, shortened if it must be. Marked when it stands in
 * for a mail, or when the owner has had it sent once more.
 */
export function smsText(stored: StoredApplication, insteadOf?: Channel): string {
  const view = ownerView(stored);
  // One mark at most: the essentials have to fit one segment.
  const mark = (stored.repeats ?? 0) > 0 ? "다시 보냄" : insteadOf === "mail" ? "메일 대신" : "";
  const number = `신청 ${view.number}${mark && ` (${mark})`}`;
  const rest = [view.phone, view.person, view.region, view.date, view.time, view.car].map(line);
  const room = SMS_SEGMENT_CHARACTERS - [number, "", ...rest].join("\n").length;
  const essentials = [number, shorten(line(view.name), room, SHORTENED), ...rest].join("\n");
  if (view.message === "") return essentials;
  const message = line(view.message);
  const messageRoom = SMS_MAX_CHARACTERS - essentials.length - 1;
  return `${essentials}\n${shorten(message, messageRoom, REST_IS_STORED)}`;
}

/** A notice to the owner, as far as Korean networks carry it. */
export function smsNotice(text: string): string {
  return shorten(line(text), SMS_MAX_CHARACTERS, SHORTENED);
}

/** Links are made inert once more: replacing characters can put a dot where there was none. */
function line(text: string): string {
  return cleanLine(inertLinks(toEucKr(cleanLine(text)))) || ONLY_PICTURES;
}

/** Every character that is left is one UTF-16 unit, so cutting cannot split one. */
function shorten(text: string, room: number, ending: string): string {
  return text.length <= room ? text : text.slice(0, room - ending.length).trimEnd() + ending;
}
