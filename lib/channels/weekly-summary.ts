import { WEEK } from "#lib/application/durations.ts";
import { koreanDateTime, koreanDateWithWeekday, seoulDate } from "#lib/application/seoul-time.ts";
import { applicationsCsv } from "#lib/channels/applications-csv.ts";
import type { WeeklySummary } from "#lib/channels/channel.ts";
import {
  html,
  type Letter,
  type MailPart,
  mailBand,
  mailHighlight,
  mailParagraph,
  phoneLink,
  renderProse,
  smallLine,
} from "#lib/channels/mail/html.ts";
import { prepareForOwner } from "#lib/channels/owner-view.ts";
import { CHANNEL_WORDS, isCalled, NOTICE_STATE_WORDS, stateWord } from "#lib/channels/words.ts";
import type { ApplicationWithState } from "#lib/storage/queries/applications.ts";

/** Limit of the applications in the mail itself. The attached table has all applications: 600 take up to 200 KB. */
const MAX_LISTED = 50;
const COLUMNS = ["접수번호", "접수 시각", "이름", "전화번호", "연수 지역", "받은 방법", "상태"];
const MAX_NAME_LENGTH = 20;
/** The separator of two facts. A line can break after the dot, but not before. */
const FACT_SEPARATOR = "\u00a0· ";

const NONE_CALLED = "연락했다고 표시된 신청은 아직 없습니다.";
const CALL_FIRST = "직접 연락이 필요한 신청은 보내 드리지 못했으니 먼저 전화해 주세요.";
const SUSPECTS_HEADING = "자동 입력이 의심되는 신청(위 건수에 넣지 않았습니다)";
const MISSING_ADVICE =
  "목록에 있는데 받지 못하신 신청이 있으면 먼저 스팸함을 확인해 주세요. 거기에도 없으면 관리자에게 접수번호를 알려 주세요. 다시 보내 드립니다.";

function isSentOrPartlySent({ state, channel }: ApplicationWithState): boolean {
  return state === "done" || state === "sent" || (state === "open" && channel !== undefined);
}

/** `문자 3, 메일 2`: number of applications sent by each channel, at least in part, then of each other state. */
function countsText(applications: readonly ApplicationWithState[]): string {
  const words = applications.map((each) =>
    each.channel && isSentOrPartlySent(each) ? CHANNEL_WORDS[each.channel] : stateWord(each),
  );
  const order = new Set([...Object.values(CHANNEL_WORDS), ...Object.values(NOTICE_STATE_WORDS)]);
  const counts = [...order].map(
    (word) => [word, words.filter((each) => each === word).length] as const,
  );
  return counts.flatMap(([word, count]) => (count > 0 ? [`${word} ${count}`] : [])).join(", ");
}

function summaryWords({ from, until, applications, isFirst }: WeeklySummary) {
  const genuine = applications.filter(({ suspicion }) => suspicion === undefined);
  const weeks = Math.round((until - from) / WEEK);
  const span = weeks > 1 ? `지난 ${weeks}주` : "지난주";
  const title = `${span} 신청 ${genuine.length}건`;
  const welcome =
    isFirst && applications.length === 0 ? "오늘부터 신청을 알려 드립니다." : undefined;
  return { span, title, counts: countsText(genuine), genuine, welcome };
}

/** The text message that replaces the mail if mail is not configured. */
export function weeklySms(summary: WeeklySummary): string {
  const { title, counts, welcome } = summaryWords(summary);
  if (welcome) return `${welcome} 이 문자가 보이면 설정이 맞습니다.`;
  return `${title}${counts && `(${counts})`}. 받지 못하신 신청이 있으면 관리자에게 알려 주세요.`;
}

export function weeklyLetter(summary: WeeklySummary, sender: string): Letter {
  const { from, until, now } = summary;
  const id = seoulDate(until);
  const applications = summary.applications.map(withShortName);
  const { span, title, counts, genuine, welcome } = summaryWords({ ...summary, applications });
  const earlier = summary.earlierUncalled.map(withShortName);
  const suspects = applications.filter(({ suspicion }) => suspicion !== undefined);
  const { parts: entries, unlisted } = composeEntries({ genuine, earlier, suspects, now });
  const day = (time: number) => koreanDateWithWeekday(seoulDate(time), now);
  const period = `${day(from)} ~ ${day(until - 1)}`;
  const lead =
    genuine.length === 0
      ? `${span}에는 ${suspects.length > 0 ? "자동 입력이 의심되는 신청만 있었습니다" : "신청이 없었습니다"}. 이 메일을 받으셨다면 메일은 잘 가고 있습니다.`
      : [`신청 ${genuine.length}건(${counts}).`, ...callRemarks(genuine)].join(" ");
  const contact = `보내는 주소(${sender})를 연락처에 추가해 두시면 스팸함으로 갈 일이 줄어듭니다.`;
  const closing = [
    ...(applications.length > 0 ? [`${MISSING_ADVICE} ${contact}`] : []),
    `다음 소식은 ${day(until + WEEK)} 오전 9시에 보내 드립니다. 그날 오지 않으면 관리자에게 알려 주세요.`,
  ].join("\n\n");
  const parts = [
    mailParagraph(welcome ? `${welcome} 이 메일이 보이면 설정이 맞습니다.` : `${period}\n${lead}`),
    ...entries,
    ...(unlisted > 0 ? [mailParagraph(`이 밖의 ${unlisted}건은 첨부한 표에 있습니다.`)] : []),
    mailHighlight(closing),
  ];
  const listed = [...applications, ...earlier];
  const content = applicationsCsv(listed, COLUMNS);
  return {
    id: `weekly-${id}`,
    subject: `[주간 소식] ${welcome ?? `${title} (${period})`}`,
    title: welcome ?? title,
    parts,
    attachment:
      listed.length > 0
        ? { filename: `신청-${id}.csv`, asciiName: `applications-${id}.csv`, content }
        : undefined,
  };
}

const isGivenUp = ({ state }: ApplicationWithState) => state === "given-up";

function callRemarks(genuine: readonly ApplicationWithState[]): string[] {
  return [
    ...(genuine.some(isCalled) ? [] : [NONE_CALLED]),
    ...(genuine.some(isGivenUp) ? [CALL_FIRST] : []),
  ];
}

interface EntryGroups {
  genuine: readonly ApplicationWithState[];
  earlier: readonly ApplicationWithState[];
  suspects: readonly ApplicationWithState[];
  now: number;
}

/** Who has to be called comes first. `unlisted`: number of applications that only the table has. */
function composeEntries({ genuine, earlier, suspects, now }: EntryGroups) {
  const called = genuine.filter(isCalled);
  const uncalled = genuine.filter((each) => !isCalled(each));
  const givenUpFirst = [
    ...uncalled.filter(isGivenUp),
    ...uncalled.filter((each) => !isGivenUp(each)),
  ];
  const sections: [heading: string, applications: readonly ApplicationWithState[]][] = [
    [called.length > 0 ? `아직 연락하지 않은 신청 ${uncalled.length}건` : "", givenUpFirst],
    [`그 전 신청 가운데 아직 연락하지 않은 신청 ${earlier.length}건`, earlier],
    [`연락하신 신청 ${called.length}건`, called],
    [SUSPECTS_HEADING, suspects],
  ];
  const parts: MailPart[] = [];
  let free = MAX_LISTED;
  for (const [heading, applications] of sections) {
    const listed = applications.slice(0, free);
    free -= listed.length;
    if (heading !== "" && listed.length > 0) parts.push(mailParagraph(heading));
    parts.push(...listed.map((each) => composeEntry(each, now)));
  }
  const total = sections.reduce((sum, [, applications]) => sum + applications.length, 0);
  return { parts, unlisted: total - (MAX_LISTED - free) };
}

function composeEntry(tracked: ApplicationWithState, now: number): MailPart {
  const { number, name, phone, rows } = prepareForOwner(tracked);
  const { application, submittedAt, channel, calledAt } = tracked;
  const wish = rows.map(({ value }) => value).join(FACT_SEPARATOR);
  const received = [number, `${koreanDateTime(submittedAt, now)} 접수`].join(FACT_SEPARATOR);
  const endedAt = calledAt ?? tracked.finishedAt;
  const ended = endedAt === undefined ? "" : `${koreanDateTime(endedAt, now)} `;
  const by = channel && calledAt === undefined ? `${CHANNEL_WORDS[channel]} ` : "";
  const state = `${ended}${by}${stateWord(tracked)}`;
  return mailBand(
    "entry",
    `${name} ${phone}\n${wish}\n${received}${FACT_SEPARATOR}${state}`,
    // A Hebrew name must not change the direction of the number beside it.
    html`<b dir="auto">${renderProse(name)}</b> ${phoneLink(application.phone, phone)}<br>${wish}<br>`,
    smallLine(received, html`<br>`, isSentOrPartlySent(tracked) ? state : html`<b>${state}</b>`),
  );
}

/** Cuts between code points. An emoji of several code points, such as a family, may be split. */
function withShortName(tracked: ApplicationWithState): ApplicationWithState {
  const characters = [...tracked.application.name];
  if (characters.length <= MAX_NAME_LENGTH) return tracked;
  const name = `${characters.slice(0, MAX_NAME_LENGTH).join("")}…`;
  return { ...tracked, application: { ...tracked.application, name } };
}
