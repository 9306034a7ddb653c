/** The Monday mail: what came in during the week, and what became of it. */
import { koreanDay, seoulDate, seoulDateTime } from "#lib/application/seoul-time.ts";
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
import { ownerView } from "#lib/channels/owner-view.ts";
import {
  countOf,
  fateOf,
  fateText,
  spanName,
  type WeeklySummary,
  wantedIn,
} from "#lib/channels/weekly-summary.ts";
import { DOT } from "#lib/channels/words.ts";
import { telHref } from "#lib/content/links.ts";
import type { FollowedApplication } from "#lib/storage/queries/owner.ts";

/** What the mail lists; the rest is in its table, which needs the room where there are very many. */
const LISTED = 100;
const LISTED_OF_MANY = 30;
const MANY = 200;

/** Text, HTML and table together: in base64, with headers, that is a mail of just under 200 KB. */
const CONTENT_BYTES = 144_000;
/** What is needed to call back, where the table is too large for all columns. */
const SHORT_COLUMNS = ["접수번호", "접수 시각", "이름", "전화번호", "연수 지역", "상태"];
/** Characters of a name in the list, and in the short table. */
const NAME_LENGTH = 20;

const PROOF = "이 메일이 왔으니 메일은 제대로 가고 있습니다.";
const SUSPECTS = "자동 입력이 의심되는 신청(위 건수에 넣지 않았습니다)";
const MISSED = "그날 오지 않으면 관리자에게 알려 주세요.";
const MISSING =
  "목록에 있는데 받지 못하신 신청이 있으면 먼저 스팸함을 확인해 주세요. 거기에도 없으면 관리자에게 접수번호를 알려 주세요. 다시 보내 드립니다.";

export function weeklyMail(summary: WeeklySummary, addresses: Addresses): MailMessage {
  const { id, from, until, nextAt, applications, now } = summary;
  const wanted = wantedIn(summary).toSorted(
    (one, other) => Number(fateOf(other) === "given-up") - Number(fateOf(one) === "given-up"),
  );
  const room = applications.length > MANY ? LISTED_OF_MANY : LISTED;
  const listed = wanted.slice(0, room);
  const suspects = applications
    .filter(({ suspicion }) => suspicion !== undefined)
    .slice(0, room - listed.length);
  const unlisted = applications.length - listed.length - suspects.length;
  const day = (time: number) => koreanDay(seoulDate(time), now);
  const title = `${spanName(summary)} 신청 ${wanted.length}건`;
  const period = `${day(from)} ~ ${day(until - 1)}`;
  const subject = `[주간 소식] ${title} (${period})`;
  const isEmpty = applications.length === 0;
  const contact = `보내는 주소(${addressOf(addresses.from)})를 연락처에 추가해 두시면 스팸함으로 갈 일이 줄어듭니다.`;
  const next =
    nextAt === undefined ? "" : `다음 소식은 ${day(nextAt)} 오전 9시에 보내 드립니다. ${MISSED}`;
  const closing = [isEmpty ? "" : `${MISSING} ${contact}`, next].filter(Boolean).join("\n\n");
  const lead =
    wanted.length === 0
      ? `${spanName(summary)}에는 신청이 없었습니다. ${PROOF}`
      : whatBecameOf(wanted);
  const parts: (string | FollowedApplication)[] = [
    `${period}\n${lead}`,
    ...listed,
    ...(suspects.length > 0 ? [SUSPECTS, ...suspects] : []),
    ...(unlisted > 0 ? [`이 밖의 ${unlisted}건은 첨부한 표에 있습니다.`] : []),
  ];
  const paragraphs = parts.map((part) => (typeof part === "string" ? part : entryText(part, now)));
  const bands = parts.map((part) =>
    typeof part === "string" ? band("note", prose(part)) : entryRow(part, now),
  );
  const text = `${[...paragraphs, closing].join("\n\n")}\n`;
  const last = band("message", prose(closing));
  const document = mailDocument(subject, [band("sign", title), ...bands, last]);
  const bytes = CONTENT_BYTES - Buffer.byteLength(text) - Buffer.byteLength(document);
  const attachment = {
    filename: `신청-${id}.csv`,
    content: tableWithin(bytes, applications),
    contentType: "text/csv; charset=utf-8",
  };
  return mailOf(`weekly-${id}`, addresses, {
    subject,
    text,
    html: document,
    ...(isEmpty ? {} : { attachment }),
  });
}

function whatBecameOf(applications: readonly FollowedApplication[]): string {
  const arrived = countOf(applications, "arrived");
  if (arrived === applications.length) return `${applications.length}건 모두 보내 드렸습니다.`;
  const sentences: [number, string][] = [
    [arrived, `${applications.length}건 가운데 ${arrived}건은 보내 드렸습니다.`],
    [countOf(applications, "on-its-way"), "건은 아직 보내는 중입니다."],
    [countOf(applications, "filed"), "건은 보낼 방법이 설정되지 않아 서버에 보관하고 있습니다."],
    [countOf(applications, "given-up"), "건은 보내지 못했으니 먼저 전화해 주세요."],
  ];
  return sentences
    .flatMap(([count, words], index) => (count > 0 ? [index === 0 ? words : count + words] : []))
    .join(" ");
}

/** What an entry says of an application, a line each. */
function linesOf(followed: FollowedApplication, now: number) {
  const { number, name, phone, rows } = ownerView(followed);
  return {
    name: shorten(name),
    phone,
    wish: rows.map(({ value }) => value).join(DOT),
    received: [number, `${seoulDateTime(followed.submittedAt, now)} 접수`].join(DOT),
    fate: fateText(followed, now),
  };
}

function entryText(followed: FollowedApplication, now: number): string {
  const { name, phone, wish, received, fate } = linesOf(followed, now);
  return `${name} ${phone}\n${wish}\n${received}${DOT}${fate}`;
}

function entryRow(followed: FollowedApplication, now: number): Html {
  const { name, phone, wish, received, fate } = linesOf(followed, now);
  // Of its own direction: a Hebrew name must not change places with the number.
  const who = html`<b dir="auto">${prose(name)}</b>`;
  const became = fateOf(followed) === "arrived" ? fate : html`<b>${fate}</b>`;
  const when = aside(received, html`<br>`, became);
  const call = tapLink(telHref(followed.application.phone), phone);
  return band("entry", who, " ", call, html`<br>${wish}<br>`, when);
}

/** The table that `export` makes; where it is too large, only what is needed to call back. */
function tableWithin(bytes: number, applications: readonly FollowedApplication[]): string {
  const whole = applicationsCsv(applications);
  if (Buffer.byteLength(whole) <= bytes) return whole;
  const short = applications.map((followed) => {
    const { application } = followed;
    return { ...followed, application: { ...application, name: shorten(application.name) } };
  });
  return applicationsCsv(short, SHORT_COLUMNS);
}

/** By code point: an emoji is not cut in two. */
function shorten(name: string): string {
  const characters = [...name];
  if (characters.length <= NAME_LENGTH) return name;
  return `${characters.slice(0, NAME_LENGTH).join("")}…`;
}
