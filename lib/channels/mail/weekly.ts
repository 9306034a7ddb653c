/** The Monday mail: what came in during the week, and what became of it. */
import { createElement as element, type ReactNode } from "react";
import type { FollowedApplication } from "#lib/application/delivery.ts";
import { applicationsCsv } from "#lib/channels/applications-csv.ts";
import { messageIdOf } from "#lib/channels/mail/application.ts";
import { mailDocument, styles, tapLink, wideRow } from "#lib/channels/mail/html.ts";
import { addressOf, type MailMessage } from "#lib/channels/mail/message.ts";
import {
  type SummaryEntry,
  summaryView,
  type WeeklySummary,
} from "#lib/channels/weekly-summary.ts";
import { DOT } from "#lib/channels/words.ts";

/** Text, HTML and table together: in base64, with headers, that is a mail of just under 200 KB. */
const CONTENT_BYTES = 144_000;
/** Characters of each visitor's message in the table: the first of these that fits. */
const MESSAGE_LENGTHS = [200, 60, 0];
/** Characters of a name in the list; the table has all of it. */
const NAME_LENGTH = 20;

const PROOF = "이 메일이 왔으니 메일은 제대로 가고 있습니다.";
const SUSPECTS = "자동 입력이 의심되는 신청(위 건수에 넣지 않았습니다)";
const MISSING =
  "목록에 있는데 받지 못하신 신청이 있으면 먼저 스팸함을 확인해 주세요. 거기에도 없으면 관리자에게 접수번호를 알려 주세요. 다시 보내 드립니다.";

export function weeklyMail(
  summary: WeeklySummary,
  { from, to }: { from: string; to: string[] },
): MailMessage {
  const view = summaryView(summary);
  const isEmpty = summary.applications.length === 0;
  const subject = `[주간 소식] ${view.title} (${view.period})`;
  const lead = view.entries.length === 0 ? `${view.lead} ${PROOF}` : view.lead;
  const unlisted = view.unlisted > 0 ? `이 밖의 ${view.unlisted}건은 첨부한 표에 있습니다.` : "";
  const contact = `보내는 주소(${addressOf(from)})를 연락처에 추가해 두시면 스팸함으로 갈 일이 줄어듭니다.`;
  const closing = [isEmpty ? "" : `${MISSING} ${contact}`, view.next].filter(Boolean).join("\n\n");
  const suspects = view.suspects.length > 0 ? [SUSPECTS] : [];
  const rest = unlisted === "" ? [] : [unlisted];
  const text = [
    `${view.period}\n${lead}`,
    ...view.entries.map(entryText),
    ...suspects,
    ...view.suspects.map(entryText),
    ...rest,
    `${closing}\n`,
  ].join("\n\n");
  const html = mailDocument(subject, [
    wideRow("sign", view.title),
    wideRow("note", view.period, element("br"), lead),
    ...view.entries.map(entryRow),
    ...suspects.map((sentence) => wideRow("note", sentence)),
    ...view.suspects.map(entryRow),
    ...rest.map((sentence) => wideRow("note", sentence)),
    wideRow("message", closing),
  ]);
  const room = CONTENT_BYTES - Buffer.byteLength(text) - Buffer.byteLength(html);
  return {
    from,
    to,
    subject,
    text,
    html,
    messageId: messageIdOf(`weekly-${summary.id}`, from),
    headers: { "Auto-Submitted": "auto-generated" },
    ...(!isEmpty && {
      attachments: [
        {
          filename: `신청-${summary.id}.csv`,
          content: tableWithin(room, summary.applications),
          contentType: "text/csv; charset=utf-8",
        },
      ],
    }),
  };
}

function entryText({ number, name, phone, wish, received, fate }: SummaryEntry): string {
  return `${shorten(name, NAME_LENGTH, "…")} ${phone}\n${wish}\n${[number, `${received} 접수`, fate].join(DOT)}`;
}

function entryRow(entry: SummaryEntry): ReactNode {
  const { number, name, phone, tel, wish, received, fate, arrived } = entry;
  return wideRow(
    "entry",
    // Of its own direction: a Hebrew name must not change places with the number.
    element("b", { dir: "auto" }, shorten(name, NAME_LENGTH, "…")),
    " ",
    tapLink(tel, phone),
    element("br"),
    wish,
    element("br"),
    element(
      "span",
      { style: styles.aside },
      `${number}${DOT}${received} 접수`,
      element("br"),
      arrived ? fate : element("b", { style: styles.alert }, fate),
    ),
  );
}

/** The table that `export` makes. Where it is too large, the messages in it are shortened. */
function tableWithin(bytes: number, applications: readonly FollowedApplication[]): string {
  let table = applicationsCsv(applications);
  for (const length of MESSAGE_LENGTHS) {
    if (Buffer.byteLength(table) <= bytes) break;
    table = applicationsCsv(
      applications.map((followed) => {
        const message = shorten(followed.application.message, length, "… (뒤는 생략)");
        return { ...followed, application: { ...followed.application, message } };
      }),
    );
  }
  return table;
}

/** By code point: an emoji is not cut in two. */
function shorten(text: string, length: number, ending: string): string {
  const characters = [...text];
  return characters.length <= length ? text : characters.slice(0, length).join("") + ending;
}
