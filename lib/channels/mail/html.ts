/** The HTML of the owner's mails: one template that escapes what goes in, and the parts that the mails are made of. */
import design, { systemFonts } from "../../../tailwind.config.ts";

/** Finished HTML; everything else is text and is escaped. */
export class Html {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}
type Content = string | number | Html | readonly Content[];

/** html`<b>${name}</b>` */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(parts.map((part, index) => part + sourceOf(values[index] ?? "")).join(""));
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function sourceOf(content: Content): string {
  if (content instanceof Html) return content.source;
  if (typeof content === "object") return content.map(sourceOf).join("");
  return String(content).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

/** The most characters without a place to break: about half the card's width on a phone. */
const LONGEST_RUN = 12;
const characters = new Intl.Segmenter("ko", { granularity: "grapheme" });

/**
 * What a person wrote: its line breaks as `<br>`, for not every mail program reads `white-space`, and places to
 * break in what has none, for not every one reads `overflow-wrap`.
 */
export function prose(text: string): Html[] {
  return text.split("\n").flatMap((line, index) => {
    const runs = line.split(/(\s+)/).map(breakable);
    return index === 0 ? runs : [html`<br>`, ...runs];
  });
}

function breakable(run: string): Html {
  if (run.length <= LONGEST_RUN) return html`${run}`;
  const pieces = Array.from(characters.segment(run), ({ segment }, at) =>
    at > 0 && at % LONGEST_RUN === 0 ? html`<wbr>${segment}` : segment,
  );
  return html`${pieces}`;
}

/** A mail program reads no stylesheet. */
const { asphalt, sign, paper, white } = design.theme.colors;
const FONTS = systemFonts.join(",");
const BANDS = {
  sign: `padding:16px 20px;background:${sign[800]};color:${white};font-size:20px;font-weight:700;line-height:1.4`,
  note: `padding:14px 20px;border-bottom:1px solid ${asphalt[300]};font-size:17px;line-height:1.6`,
  entry: `padding:12px 20px;border-bottom:1px solid ${asphalt[300]};font-size:16px;line-height:1.55`,
  buttons: "padding:6px 20px",
  message: `padding:16px 20px;background:${sign[100]};font-size:17px;line-height:1.65`,
} as const;

/** A row over the whole width. */
export function band(look: keyof typeof BANDS, ...content: readonly Content[]): Html {
  return html`<tr><td style="${BANDS[look]}">${content}</td></tr>`;
}

/** Small words above or below others. */
export const aside = (...content: readonly Content[]) =>
  html`<span style="color:${asphalt[600]};font-size:15px">${content}</span>`;

/** What is called what. The columns keep their widths whatever stands in them. */
export function fields(rows: readonly { label: string; value: string }[]): Html {
  const label = `padding:8px 0 8px 20px;color:${asphalt[600]};font-size:15px;font-weight:400;text-align:left;vertical-align:top`;
  const lines = rows.map(
    (row) =>
      html`<tr><th scope="row" width="92" style="${label}">${row.label}</th><td style="padding:8px 20px;font-size:17px;line-height:1.5">${prose(row.value)}</td></tr>`,
  );
  return html`<tr><td style="padding:8px 0">${table("", lines)}</td></tr>`;
}

/** At least 44 px high, and apart from the next. */
export function button(href: string, text: string): Html {
  const look = `display:inline-block;margin:8px 8px 2px 0;padding:11px 18px;border:1px solid ${sign[800]};border-radius:8px;background:${white};color:${sign[800]};font-size:17px;font-weight:700;line-height:24px;text-decoration:none;white-space:nowrap`;
  return html`<a href="${href}" style="${look}">${text}</a>`;
}

/** A number within a line, as high as a finger. */
export function tapLink(href: string, text: string): Html {
  return html`<a href="${href}" style="display:inline-block;padding:10px 0;color:${sign[800]};font-weight:700;white-space:nowrap">${text}</a>`;
}

/** The mail: one card, readable on a phone, with the title in it. */
export function mailDocument(title: string, rows: readonly Html[]): string {
  const card = `max-width:560px;margin:0 auto;background:${white};border:1px solid ${asphalt[300]};color:${asphalt[900]}`;
  const head = html`<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light"><title>${title}</title></head>`;
  const page = `margin:0;padding:16px;background:${paper};font-family:${FONTS}`;
  return html`<!doctype html><html lang="ko">${head}<body style="${page}">${table(card, rows)}</body></html>`
    .source;
}

function table(look: string, rows: readonly Html[]): Html {
  const holds = "table-layout:fixed;word-break:keep-all;overflow-wrap:anywhere";
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="${holds};${look}"><tbody>${rows}</tbody></table>`;
}
