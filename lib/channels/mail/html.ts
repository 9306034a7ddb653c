import { type CSSProperties, createElement as element, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { MailRow } from "#lib/channels/mail/message.ts";

/** The site's colours; a mail program reads no stylesheet, so they are repeated here and compared by a test. */
export const MAIL_COLOURS = {
  asphalt900: "#15181C",
  asphalt600: "#4D555E",
  asphalt300: "#D6DADF",
  sign800: "#00573D",
  sign100: "#DDF1E8",
  paper: "#FAF8F3",
  white: "#FFFFFF",
} as const;

const FONTS = "Pretendard, -apple-system, 'Apple SD Gothic Neo', 'Malgun Gothic', sans-serif";

export const styles = {
  page: { margin: 0, padding: "16px", backgroundColor: MAIL_COLOURS.paper, fontFamily: FONTS },
  card: {
    maxWidth: "560px",
    margin: "0 auto",
    backgroundColor: MAIL_COLOURS.white,
    border: `1px solid ${MAIL_COLOURS.asphalt300}`,
    color: MAIL_COLOURS.asphalt900,
    wordBreak: "keep-all",
    overflowWrap: "anywhere",
  },
  sign: {
    padding: "16px 20px",
    backgroundColor: MAIL_COLOURS.sign800,
    color: MAIL_COLOURS.white,
    fontSize: "20px",
    fontWeight: 700,
    lineHeight: 1.4,
    textWrap: "balance",
  },
  label: {
    width: "96px",
    padding: "10px 0 10px 20px",
    color: MAIL_COLOURS.asphalt600,
    fontSize: "15px",
    fontWeight: 400,
    textAlign: "left",
    verticalAlign: "top",
    whiteSpace: "nowrap",
  },
  value: {
    padding: "10px 20px",
    fontSize: "17px",
    lineHeight: 1.5,
  },
  call: { color: MAIL_COLOURS.sign800, fontWeight: 700, whiteSpace: "nowrap" },
  note: {
    padding: "14px 20px",
    borderBottom: `1px solid ${MAIL_COLOURS.asphalt300}`,
    fontSize: "17px",
    lineHeight: 1.6,
  },
  entry: {
    padding: "12px 20px",
    borderBottom: `1px solid ${MAIL_COLOURS.asphalt300}`,
    fontSize: "16px",
    lineHeight: 1.55,
  },
  aside: { color: MAIL_COLOURS.asphalt600, fontSize: "15px" },
  alert: { color: MAIL_COLOURS.asphalt900 },
  message: {
    padding: "16px 20px",
    backgroundColor: MAIL_COLOURS.sign100,
    fontSize: "17px",
    lineHeight: 1.65,
    whiteSpace: "pre-wrap",
  },
} as const satisfies Record<string, CSSProperties>;

function row({ label, value, links }: MailRow): ReactNode {
  const shown = links ? linked(value, links) : value;
  return element(
    "tr",
    { key: label },
    element("th", { scope: "row", style: styles.label }, label),
    element("td", { style: styles.value }, shown),
  );
}

/** Between two links. Where the line breaks here, nothing of it is seen. */
const GAP = "\u00a0\u00a0 ";

/** The first link stands in its place within the value, the others follow it. */
function linked(value: string, links: NonNullable<MailRow["links"]>): ReactNode[] {
  const shown = links.flatMap(({ text, href }, index) => [
    ...(index === 0 ? [] : [GAP]),
    element("a", { key: href, href, style: styles.call }, text),
  ]);
  const own = links[0]?.text ?? "";
  const at = value.indexOf(own);
  return [value.slice(0, at), ...shown, value.slice(at + own.length)];
}

/** A row over the whole width. */
export function wideRow(
  look: "sign" | "note" | "entry" | "message",
  ...content: ReactNode[]
): ReactNode {
  return element("tr", null, element("td", { colSpan: 2, style: styles[look] }, ...content));
}

/** A link that calls or writes. */
export function tapLink(href: string, text: string): ReactNode {
  return element("a", { href, style: styles.call }, text);
}

/** The mail's HTML: one table, readable on a phone. React escapes every text that goes in. */
export function mailHtml(mail: { title: string; rows: MailRow[]; message: string }): string {
  return mailDocument(mail.title, [
    wideRow("sign", mail.title),
    ...mail.rows.map(row),
    ...(mail.message === "" ? [] : [wideRow("message", mail.message)]),
  ]);
}

/** The document around a mail's rows. */
export function mailDocument(title: string, rows: readonly ReactNode[]): string {
  const table = element(
    "table",
    { role: "presentation", width: "100%", cellPadding: 0, cellSpacing: 0, style: styles.card },
    element("tbody", null, ...rows),
  );
  const head = element(
    "head",
    null,
    element("meta", { charSet: "utf-8" }),
    element("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
    element("title", null, title),
  );
  const body = element("body", { style: styles.page }, table);
  return `<!doctype html>${renderToStaticMarkup(element("html", { lang: "ko" }, head, body))}`;
}
