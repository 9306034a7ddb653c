import { cleanLine } from "#lib/application/text.ts";
import type { FailoverReason } from "#lib/channels/channel.ts";
import { defangLinks } from "#lib/channels/defang-links.ts";
import { prepareForOwner } from "#lib/channels/owner-view.ts";
import { fitToEucKr, REPLACEMENT_SIGN } from "#lib/channels/sms/euc-kr.ts";
import { SINGLE_SMS_CHARACTERS, SMS_MAX_CHARACTERS } from "#lib/channels/sms/segments.ts";
import type { StoredApplication } from "#lib/storage/stored-application.ts";

/** The first line, which the phone's notification shows. */
const SMS_HEAD = "운전연수 신청";
const LINE_SEPARATOR = " / ";
const ELLIPSIS = "…";
const OMITTED_ENDING = "… (뒤는 생략)";

/** The first 70 characters have what the owner needs to call back. `isShortened`: a part is cut or unwritable. */
export function composeApplicationSms(stored: StoredApplication, insteadOf?: FailoverReason) {
  const view = prepareForOwner(stored);
  const marks = [
    (stored.resends ?? 0) > 0 && "다시 보냄",
    insteadOf === "mail" && "메일 대신",
    insteadOf === "mail-some" && "메일 일부",
    stored.suspicion && "자동 입력 의심",
  ];
  const shownMarks = marks.flatMap((each) => (each ? [`(${each})`] : []));
  const numberLine = [...shownMarks, view.number].join(" ");
  const required = view.rows.filter((row) => !row.isOptional).map(({ value }) => value);
  const facts = [view.phone, ...required].map(smsLine).join("\n");
  const name = smsLine(view.name);
  const nameRoom = SINGLE_SMS_CHARACTERS - `${SMS_HEAD}\n\n${facts}`.length;
  const shownName = shorten(name, nameRoom, ELLIPSIS);
  const lines = [SMS_HEAD, shownName, facts, ...view.relations].join("\n");
  const optional = view.rows.filter((row) => row.isOptional);
  const message = view.message.replace(/\s*\n\s*/g, LINE_SEPARATOR);
  const texts = [...optional.map(({ label, value }) => `${label}: ${value}`), message];
  const details = texts.flatMap((text) => (text === "" ? [] : [smsLine(text)])).join("\n");
  const room = SMS_MAX_CHARACTERS - `${lines}\n\n${numberLine}`.length;
  const shownDetails = shorten(details, room, OMITTED_ENDING);
  const text = [lines, ...(shownDetails === "" ? [] : [shownDetails]), numberLine].join("\n");
  const isCut = shownName !== name || shownDetails !== details;
  return { text, isShortened: isCut || text.includes(REPLACEMENT_SIGN) };
}

export const fitIntoSms = (text: string) => shorten(smsLine(text), SMS_MAX_CHARACTERS, ELLIPSIS);

/** Links are defanged after the conversion to EUC-KR, because the conversion can produce a dot. */
const smsLine = (text: string) =>
  cleanLine(defangLinks(fitToEucKr(cleanLine(text)))) || REPLACEMENT_SIGN;

/** Expects characters of EUC-KR. Each of them is one UTF-16 unit, so `slice` splits no character. */
function shorten(text: string, room: number, ending: string): string {
  return text.length <= room ? text : text.slice(0, room - ending.length).trimEnd() + ending;
}
