/**
 * The preview pictures of shared links. KakaoTalk cuts 1200×630 to 2:1 and sometimes to a square, so everything
 * important is in the middle 630×400.
 */
import { readFileSync } from "node:fs";
import type { CSSProperties, ReactElement, ReactNode } from "react";
import { business } from "#lib/content/business.ts";
import { contactTexts } from "#lib/content/contact-page.ts";
import { closingSection, hero } from "#lib/content/home-page.ts";
import { type PageId, pages } from "#lib/content/pages.ts";
import { formatGroupPrice, offers } from "#lib/content/prices.ts";
import { priceBlock } from "#lib/content/pricing-page.ts";
import { plainText } from "#lib/content/text-notation.ts";
import design from "../../tailwind.config.ts";

const { asphalt, sign, paper, white } = design.theme.colors;

/** The size that KakaoTalk, search engines and Facebook recommend. */
export const previewSize = { width: 1200, height: 630 } as const;

const HEADLINE_LEFT = 300;
const CAR_WIDTH = 416;
/** The row of cars is 1,216 px wide: 8 px beyond each edge of the picture. */
const CAR_STEP = Math.round((1_216 - CAR_WIDTH) / Math.max(1, offers.length - 1));

/** A drawing or a photo, its place and its size in pixels. */
export type Art = readonly [file: string, left: number, top: number, width: number, height: number];

/** The headline of the page is drawn over `art`. */
interface PreviewLayout {
  background: string;
  art: readonly Art[];
  /** In pixels: where brand and headline begin, and the headline's font size. `onDark`: both are white. */
  top: number;
  headlineSize: number;
  onDark?: true;
  board?: CSSProperties;
  more?: ReactNode;
}

const SMALL_TEXT = { fontSize: 26, color: asphalt[800] };

const BOARD = { left: 285, width: 630, borderRadius: 20 };

const COLUMN = { display: "flex", flexDirection: "column" } as const;

const layouts: Partial<Record<PageId, PreviewLayout>> = {
  home: {
    background: paper,
    // The board with the text covers the road sign in the drawing, and ends above the car and its number plate.
    art: [[hero.picture.src, -204, -80, 1404, 790]],
    top: 64,
    headlineSize: 58,
    board: { ...BOARD, padding: "32px 38px", background: paper },
    more: (
      <div style={{ ...COLUMN, ...SMALL_TEXT, marginTop: 14 }}>
        <span>{hero.prices.join(" · ")}</span>
        <span style={{ marginTop: 6 }}>{plainText(hero.regions)}</span>
      </div>
    ),
  },
  gallery: {
    background: asphalt[700],
    art: [["/art/gallery-3.svg", 0, -178, 1200, 900]],
    top: 82,
    headlineSize: 60,
    onDark: true,
    board: {
      ...BOARD,
      padding: "36px 38px",
      background: sign[800],
      boxShadow: `inset 0 0 0 8px ${sign[800]}, inset 0 0 0 12px ${white}`,
    },
  },
  pricing: {
    background: paper,
    art: offers.map(({ picture: { src } }, at) => {
      const carHeight = Math.round((CAR_WIDTH * 9) / 16);
      return [src, at * CAR_STEP - 8, 616 - carHeight, CAR_WIDTH, carHeight];
    }),
    top: 36,
    headlineSize: 64,
    more: (
      <div style={COLUMN}>
        <Prices />
        <span style={{ ...SMALL_TEXT, marginTop: 12 }}>{plainText(hero.regions)}</span>
      </div>
    ),
  },
  contact: {
    background: asphalt[900],
    art: [[closingSection.picture.src, -290, 0, 1680, 630]],
    top: 330,
    headlineSize: 72,
    onDark: true,
    more: (
      <span style={{ color: white, fontSize: 28, marginTop: 6 }}>{contactTexts.hint.title}</span>
    ),
  },
};

/** The page whose picture the link preview of `page` shows: the home page if `page` has no picture of its own. */
export const resolvePreviewPage = (page: PageId): PageId => (page in layouts ? page : "home");

/** The pictures by file name. */
export const previews = new Map(
  Object.entries(layouts).map(([page, layout]) => [
    `${page}.jpg`,
    { ...layout, headline: pages[page as PageId].headline },
  ]),
);

function Prices() {
  return (
    <div style={{ display: "flex", gap: 40, marginTop: 22 }}>
      {priceBlock.groups.map(({ id, title }) => (
        <div key={id} style={COLUMN}>
          <span style={{ color: sign[800], fontSize: 26 }}>{title}</span>
          <span style={{ color: asphalt[900], fontSize: 50, letterSpacing: "-0.04em" }}>
            {formatGroupPrice(id)}
          </span>
        </div>
      ))}
    </div>
  );
}

/** The data URL of a drawing, because no server runs during the build. */
function drawingUrl(file: string, colour?: string): string {
  const svg = readFileSync(`public${file}`, "utf8");
  // resvg takes the value of `currentColor` only from the root element.
  const coloured = colour ? svg.replace(/color="[^"]*"/, `color="${colour}"`) : svg;
  return `data:image/svg+xml;base64,${Buffer.from(coloured).toString("base64")}`;
}

/** `photos`: data URLs by file name. A photo of `art` without one is left out. */
export function drawPreview(
  {
    background,
    art,
    top,
    headlineSize,
    onDark,
    board,
    more,
    headline,
  }: PreviewLayout & { headline: string },
  photos: ReadonlyMap<string, string>,
): ReactElement {
  const shown = art.filter(([file]) => photos.has(file) || file.endsWith(".svg"));
  // The picture has the line breaks that a page has on a phone.
  const lines = headline.replace(/⏎d/g, " ").replace(/⏎m? ?/g, "\n").replace(/[[\]]/g, "");
  const [brand, colour] = onDark ? [white, white] : [sign[700], asphalt[900]];
  return (
    <div style={{ display: "flex", width: "100%", height: "100%", background, fontWeight: 800 }}>
      {shown.map(([file, left, top, width, height]) => (
        <img
          key={file}
          src={photos.get(file) ?? drawingUrl(file)}
          width={width}
          height={height}
          alt=""
          style={{ position: "absolute", left, top }}
        />
      ))}
      <div
        style={{ ...COLUMN, position: "absolute", left: HEADLINE_LEFT, top, width: 600, ...board }}
      >
        <div style={{ display: "flex", alignItems: "center", color: brand, fontSize: 32 }}>
          <img src={drawingUrl("/art/logo.svg", brand)} width={46} height={46} alt="" />
          <span style={{ marginLeft: 12, letterSpacing: "-0.02em" }}>{business.name}</span>
        </div>
        <span
          style={{
            whiteSpace: "pre-wrap",
            marginTop: 12,
            color: colour,
            fontSize: headlineSize,
            letterSpacing: "-0.036em",
            lineHeight: 1.22,
          }}
        >
          {lines}
        </span>
        {more}
      </div>
    </div>
  );
}
