/**
 * The preview pictures that a shared link shows, as HTML: the site's colours, lettering and illustrations.
 * KakaoTalk cuts 1200×630 to 2:1 and sometimes to a square: all that matters stands in the middle 630×400.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { business } from "#lib/content/business.ts";
import { contact } from "#lib/content/contact.ts";
import { copyParts } from "#lib/content/copy.ts";
import { closing, hero } from "#lib/content/home.ts";
import { openGraphImageSize } from "#lib/content/open-graph-images.ts";
import { COURSE_HOURS, offers, wonDigits } from "#lib/content/prices.ts";
import { priceBlock } from "#lib/content/pricing.ts";
import { type PageId, seoPages } from "#lib/content/seo.ts";
import design from "../tailwind.config.ts";

const { asphalt, sign, lane, paper, white } = design.theme.colors;

/** Where the middle square begins: everything that must survive every cut is to the right of it. */
const LEFT = 300;
const ROOM = 600;
/** The upper edge of the home page's illustration, continued above it. */
const SKY = "#b4daf0";

function dataUrl(path: string): string {
  return `data:image/svg+xml;base64,${readFileSync(`public${path}`).toString("base64")}`;
}

function art(path: string, place: string): string {
  return `<img src="${dataUrl(path)}" style="position:absolute;${place}">`;
}

function box(place: string, content: string): string {
  return `<div style="position:absolute;${place}">${content}</div>`;
}

/** Copy as HTML: the picture is as narrow as a phone, so a phone's line breaks hold. */
function html(copy: string): string {
  return copyParts(copy)
    .map((part) => {
      if (part.kind === "break") return part.at === "desktop" ? " " : "<br>";
      const text = part.text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
      return part.kind === "together" ? `<span style="white-space:nowrap">${text}</span>` : text;
    })
    .join("");
}

function brand(colour: string): string {
  const mask = `mask:url('${dataUrl("/art/logo.svg")}') center/contain no-repeat`;
  return `<div class="brand" style="color:${colour}"><i style="background:${colour};${mask}"></i>${business.name}</div>`;
}

function headline(page: PageId, colour: string, size = 64): string {
  return `<h1 style="color:${colour};font-size:${size}px">${html(seoPages[page].headline)}</h1>`;
}

/** A stretch of asphalt with the course's hours as yellow dashes, as under the home page's picture. */
function hours(top: number): string {
  const dashes = Array.from(
    { length: COURSE_HOURS },
    () => `<i style="background:${lane[500]}"></i>`,
  );
  return box(
    `left:0;right:0;top:${top}px;bottom:0;background:${asphalt[900]}`,
    `<div class="hours">${dashes.join("")}</div>`,
  );
}

/** A direction sign with its white keyline, over the road. */
function directionSign(place: string, content: string): string {
  const keyline = `box-shadow:inset 0 0 0 8px ${sign[800]},inset 0 0 0 12px ${white}`;
  return box(`${place};background:${sign[800]};border-radius:20px;${keyline}`, content);
}

function post(left: number, top: number): string {
  return box(`left:${left}px;top:${top}px;bottom:0;width:14px;background:${asphalt[400]}`, "");
}

function priceLines(): string {
  return priceBlock.groups
    .map(({ id }) => {
      const group = offers.filter((offer) => offer.group === id);
      const lowest = Math.min(...group.map((offer) => offer.price));
      const from = group.every((offer) => offer.price === lowest) ? "" : "~";
      const name = priceBlock.groups.find((each) => each.id === id)?.title ?? "";
      return `<div class="price"><b>${name}</b>${wonDigits(lowest)}<small>${priceBlock.won}${from}</small></div>`;
    })
    .join("");
}

const pictures: Readonly<Record<PageId, () => string>> = {
  home: () =>
    box(`inset:0;background:${SKY}`, "") +
    art(
      hero.picture.src,
      `left:0;top:40px;width:1200px;mask:linear-gradient(transparent,${SKY} 90px)`,
    ) +
    box(
      `left:${LEFT}px;top:115px;width:${ROOM}px`,
      brand(sign[700]) + headline("home", asphalt[900], 58),
    ),

  gallery: () =>
    art("/art/gallery-3.svg", "left:0;top:-178px;width:1200px") +
    box(`left:96px;right:96px;top:128px;height:20px;background:${asphalt[400]}`, "") +
    post(96, 128) +
    post(1090, 128) +
    directionSign(
      "left:285px;top:82px;width:630px;padding:38px 40px 40px;box-sizing:border-box",
      brand(white) + headline("gallery", white, 60),
    ),

  pricing: () =>
    box(`inset:0;background:${paper}`, "") +
    hours(552) +
    offers
      .map((offer, index) =>
        art(offer.picture.src, `left:${LEFT - 24 + index * 208}px;top:397px;width:232px`),
      )
      .join("") +
    box(
      `left:${LEFT}px;top:118px;width:${ROOM}px`,
      brand(sign[700]) +
        headline("pricing", asphalt[900]) +
        `<div class="prices">${priceLines()}</div>`,
    ),

  contact: () =>
    art(closing.picture.src, "left:-290px;top:0;width:1680px") +
    box(
      `left:${LEFT}px;top:330px;width:${ROOM}px`,
      `${brand(white)}${headline("contact", white, 72)}<p style="color:${asphalt[100]}">${html(contact.hint.title)}</p>`,
    ),

  privacy: () =>
    box(`inset:0;background:${paper}`, "") +
    post(400, 300) +
    post(786, 300) +
    hours(552) +
    directionSign(
      "left:285px;top:180px;width:630px;padding:44px 40px 46px;box-sizing:border-box",
      brand(white) + headline("privacy", white, 62),
    ),
};

/** A page's picture as one HTML document. `font` is where the lettering comes from, as a CSS `src`. */
export function openGraphHtml(page: PageId, font = ""): string {
  return `<!doctype html><html lang="ko"><style>
@font-face { font-family: Pretendard; font-weight: 400 800; src: ${font || "local(Pretendard)"} }
* { margin: 0 }
body { position: relative; width: ${openGraphImageSize.width}px; height: ${openGraphImageSize.height}px; overflow: hidden;
  font-family: Pretendard; word-break: keep-all }
h1 { font-weight: 800; line-height: 1.22; letter-spacing: -0.036em; margin-top: 12px }
p { font-size: 28px; font-weight: 600; letter-spacing: -0.015em; margin-top: 6px }
.brand { display: flex; align-items: center; gap: 12px; font-size: 32px; font-weight: 800; letter-spacing: -0.02em }
.brand i { width: 46px; height: 46px }
.hours { display: flex; gap: 20px; margin: 24px ${LEFT}px 0 }
.hours i { flex: 1; height: 12px }
.prices { display: flex; gap: 40px; margin-top: 22px }
.price { font-size: 54px; font-weight: 800; letter-spacing: -0.04em; line-height: 1.15; color: ${asphalt[900]} }
.price b { display: block; font-size: 26px; font-weight: 700; letter-spacing: -0.02em; color: ${sign[800]} }
.price small { font-size: 28px; font-weight: 700 }
</style><body>${pictures[page]()}</body></html>`;
}

/** What a page's picture is drawn from, as a short hash: another one means that it has to be drawn again. */
export function drawnFrom(page: PageId): string {
  return shortHash(openGraphHtml(page));
}

export function shortHash(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 12);
}
