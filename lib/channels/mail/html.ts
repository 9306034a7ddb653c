import { smsHref, telHref } from "#lib/content/links.ts";
import design, { systemFonts } from "../../../tailwind.config.ts";

/**
 * A template inserts HTML unchanged, and escapes every string. Nothing else makes HTML for the mails, because one value
 * of a visitor that is not escaped would be an injection into the owner's inbox.
 */
export class Html {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}
type TemplateValue = string | Html | readonly TemplateValue[];

export function html(parts: TemplateStringsArray, ...values: readonly TemplateValue[]): Html {
  return new Html(parts.map((part, index) => part + htmlSource(values[index] ?? "")).join(""));
}

function htmlSource(content: TemplateValue): string {
  if (content instanceof Html) return content.source;
  if (typeof content !== "string") return content.map(htmlSource).join("");
  return content.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The longest run of characters without a place to break, about half of a phone's line. */
const MAX_RUN_LENGTH = 12;
const graphemeSegmenter = new Intl.Segmenter("ko", { granularity: "grapheme" });

/** Renders a visitor's text with `<br>` and `<wbr>`, because some mail programs ignore the styles for line breaks. */
export function renderProse(text: string): Html[] {
  return text.split(/(\s+)/).map((run) => {
    if (run.includes("\n")) return new Html("<br>".repeat(run.split("\n").length - 1));
    if (run.length <= MAX_RUN_LENGTH) return html`${run}`;
    const pieces = Array.from(graphemeSegmenter.segment(run), ({ segment }, at) =>
      at > 0 && at % MAX_RUN_LENGTH === 0 ? html`<wbr>${segment}` : segment,
    );
    return html`${pieces}`;
  });
}

const { asphalt, sign, paper, white } = design.theme.colors;
const FONTS = systemFonts.join(",");
/** Some mail programs ignore style sheets, so the styles are in the elements. */
const BAND_STYLES = {
  title: `padding:16px 20px;background:${sign[800]};color:${white};font-size:20px;font-weight:700;line-height:1.4`,
  paragraph: `padding:14px 20px;border-bottom:1px solid ${asphalt[300]};font-size:17px;line-height:1.6`,
  entry: `padding:12px 20px;border-bottom:1px solid ${asphalt[300]};font-size:16px;line-height:1.55`,
  buttons: "padding:6px 20px",
  highlight: `padding:16px 20px;background:${sign[100]};font-size:17px;line-height:1.65`,
} as const;

export interface MailPart {
  text: string;
  html: Html;
}

export function mailBand(
  band: keyof typeof BAND_STYLES,
  text: string,
  ...content: readonly TemplateValue[]
) {
  return { text, html: html`<tr><td style="${BAND_STYLES[band]}">${content}</td></tr>` };
}

export const mailParagraph = (text: string) => mailBand("paragraph", text, renderProse(text));

export function mailHighlight(text: string, heading?: string): MailPart {
  return heading === undefined
    ? mailBand("highlight", text, renderProse(text))
    : mailBand("highlight", `${heading}:\n${text}`, html`<b>${heading}</b><br>`, renderProse(text));
}

export function mailRows(lines: readonly { label: string; value: string }[]): MailPart {
  const labelStyle = `padding:8px 0 8px 20px;color:${asphalt[600]};font-size:15px;font-weight:400;text-align:left;vertical-align:top`;
  const cells = lines.map(
    ({ label, value }) =>
      html`<tr><th scope="row" width="92" style="${labelStyle}">${label}</th><td style="padding:8px 20px;font-size:17px;line-height:1.5">${renderProse(value)}</td></tr>`,
  );
  return {
    text: lines.map(({ label, value }) => `${label}: ${value}`).join("\n"),
    html: html`<tr><td style="padding:8px 0">${table("", cells)}</td></tr>`,
  };
}

/** Buttons that call and text the visitor, at least 44 px high. The first is filled, because the owner should call. */
export function contactButtons(phone: string, shown: string): MailPart {
  const style = (color: string, background: string) =>
    `display:inline-block;margin:8px 8px 2px 0;padding:11px 18px;border:1px solid ${sign[800]};border-radius:8px;background:${background};color:${color};font-size:17px;font-weight:700;line-height:24px;text-decoration:none;white-space:nowrap`;
  return mailBand(
    "buttons",
    `전화번호: ${shown}`,
    html`<a href="${telHref(phone)}" style="${style(white, sign[800])}">${shown}</a> `,
    html`<a href="${smsHref(phone)}" style="${style(sign[800], white)}">문자 보내기</a>`,
  );
}

/** A phone number within a line, as a link high enough for a finger. */
export const phoneLink = (phone: string, shown: string) =>
  html`<a href="${telHref(phone)}" style="display:inline-block;padding:10px 0;color:${sign[800]};font-weight:700;white-space:nowrap">${shown}</a>`;

export const smallLine = (...content: readonly TemplateValue[]) =>
  html`<span style="color:${asphalt[600]};font-size:15px">${content}</span>`;

export interface Letter {
  /** A repeated letter has the same id, and so the same Message-ID. */
  id: string;
  subject: string;
  title?: string;
  parts: readonly MailPart[];
  attachment?: { filename: string; asciiName: string; content: string } | undefined;
}

export function mailBodies({ subject, title = subject, parts }: Letter) {
  const card = `max-width:560px;margin:0 auto;background:${white};border:1px solid ${asphalt[300]};color:${asphalt[900]}`;
  const head = html`<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light"><title>${subject}</title></head>`;
  const page = `margin:0;padding:16px;background:${paper};font-family:${FONTS}`;
  const bands = [mailBand("title", "", renderProse(title)), ...parts].map((part) => part.html);
  const document = html`<!doctype html><html lang="ko">${head}<body style="${page}">${table(card, bands)}</body></html>`;
  const text = `${parts.map((part) => part.text).join("\n\n")}\n`;
  return { text, html: document.source };
}

function table(style: string, rows: readonly Html[]): Html {
  const layout = "table-layout:fixed;word-break:keep-all;overflow-wrap:anywhere";
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="${layout};${style}"><tbody>${rows}</tbody></table>`;
}
