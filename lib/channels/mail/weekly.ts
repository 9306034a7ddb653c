/** The Monday mail: what came in during the week, and what became of it. */
import { applicationsCsv } from "#lib/channels/applications-csv.ts";
import {
  aside,
  band,
  type Html,
  html,
  mailDocument,
  prose,
  tapLink,
} from "#lib/channels/mail/html.ts";
import { type Addresses, addressOf, type MailMessage, mailOf } from "#lib/channels/mail/message.ts";
import {
  type SummaryEntry,
  summaryView,
  type WeeklySummary,
} from "#lib/channels/weekly-summary.ts";
import { DOT } from "#lib/channels/words.ts";
import type { FollowedApplication } from "#lib/storage/queries/owner.ts";

/** Text, HTML and table together: in base64, with headers, that is a mail of just under 200 KB. */
const CONTENT_BYTES = 144_000;
/** Characters of each visitor's message in the table: the first of these that fits. */
const MESSAGE_LENGTHS = [1_000, 200, 60, 0];
/** What is needed to call back, where the table is too large for all columns. */
const SHORT_COLUMNS = ["접수번호", "접수 시각", "이름", "전화번호", "연수 지역", "상태"];
/** Characters of a name in the list, and in the short table. */
const NAME_LENGTH = 20;

const PROOF = "이 메일이 왔으니 메일은 제대로 가고 있습니다.";
const SUSPECTS = "자동 입력이 의심되는 신청(위 건수에 넣지 않았습니다)";
const MISSING =
  "목록에 있는데 받지 못하신 신청이 있으면 먼저 스팸함을 확인해 주세요. 거기에도 없으면 관리자에게 접수번호를 알려 주세요. 다시 보내 드립니다.";

export function weeklyMail(summary: WeeklySummary, addresses: Addresses): MailMessage {
  const { id, applications } = summary;
  const view = summaryView(summary);
  const isEmpty = applications.length === 0;
  const subject = `[주간 소식] ${view.title} (${view.period})`;
  const lead = view.entries.length === 0 ? `${view.lead} ${PROOF}` : view.lead;
  const rest = view.unlisted > 0 ? [`이 밖의 ${view.unlisted}건은 첨부한 표에 있습니다.`] : [];
  const contact = `보내는 주소(${addressOf(addresses.from)})를 연락처에 추가해 두시면 스팸함으로 갈 일이 줄어듭니다.`;
  const closing = [isEmpty ? "" : `${MISSING} ${contact}`, view.next].filter(Boolean).join("\n\n");
  const suspects = view.suspects.length > 0 ? [SUSPECTS] : [];
  const paragraphs = [
    `${view.period}\n${lead}`,
    ...view.entries.map(entryText),
    ...suspects,
    ...view.suspects.map(entryText),
    ...rest,
    closing,
  ];
  const text = `${paragraphs.join("\n\n")}\n`;
  const document = mailDocument(subject, [
    band("sign", view.title),
    band("note", prose(`${view.period}\n${lead}`)),
    ...view.entries.map(entryRow),
    ...suspects.map((sentence) => band("note", sentence)),
    ...view.suspects.map(entryRow),
    ...rest.map((sentence) => band("note", sentence)),
    band("message", prose(closing)),
  ]);
  const room = CONTENT_BYTES - Buffer.byteLength(text) - Buffer.byteLength(document);
  const attachment = {
    filename: `신청-${id}.csv`,
    content: tableWithin(room, applications),
    contentType: "text/csv; charset=utf-8",
  };
  return mailOf(`weekly-${id}`, addresses, {
    subject,
    text,
    html: document,
    ...(isEmpty ? {} : { attachment }),
  });
}

function entryText({ number, name, phone, wish, received, fate }: SummaryEntry): string {
  return `${shorten(name, NAME_LENGTH, "…")} ${phone}\n${wish}\n${[number, `${received} 접수`, fate].join(DOT)}`;
}

function entryRow({ number, name, phone, tel, wish, received, fate, arrived }: SummaryEntry): Html {
  // Of its own direction: a Hebrew name must not change places with the number.
  const who = html`<b dir="auto">${prose(shorten(name, NAME_LENGTH, "…"))}</b>`;
  const became = arrived ? fate : html`<b>${fate}</b>`;
  const when = aside(`${number}${DOT}${received} 접수`, html`<br>`, became);
  return band("entry", who, " ", tapLink(tel, phone), html`<br>${wish}<br>`, when);
}

/** The table that `export` makes. Where it is too large, first the messages in it are shortened, then columns go. */
function tableWithin(bytes: number, applications: readonly FollowedApplication[]): string {
  for (const length of MESSAGE_LENGTHS) {
    const table = applicationsCsv(applications.map((each) => shortened(each, { message: length })));
    if (Buffer.byteLength(table) <= bytes) return table;
  }
  const short = applications.map((each) => shortened(each, { name: NAME_LENGTH }));
  return applicationsCsv(short, SHORT_COLUMNS);
}

function shortened(
  followed: FollowedApplication,
  { message = 0, name = Number.POSITIVE_INFINITY }: { message?: number; name?: number },
): FollowedApplication {
  const { application } = followed;
  const texts = {
    name: shorten(application.name, name, "…"),
    message: shorten(application.message, message, "… (뒤는 생략)"),
  };
  return { ...followed, application: { ...application, ...texts } };
}

/** By code point: an emoji is not cut in two. */
function shorten(text: string, length: number, ending: string): string {
  const characters = [...text];
  return characters.length <= length ? text : characters.slice(0, length).join("") + ending;
}
