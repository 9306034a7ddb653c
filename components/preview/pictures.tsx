/**
 * The pictures that a shared link shows, in what next/og can draw: the site's colours, lettering, illustrations.
 * KakaoTalk cuts 1200×630 to 2:1 and sometimes to a square: all that matters stands in the middle 630×400.
 */
import type { CSSProperties, ReactElement, ReactNode } from "react";
import { business } from "#lib/content/business.ts";
import { contact } from "#lib/content/contact.ts";
import { copyParts } from "#lib/content/copy.ts";
import { closing, hero } from "#lib/content/home.ts";
import { COURSE_HOURS, offers, wonDigits } from "#lib/content/prices.ts";
import { priceBlock } from "#lib/content/pricing.ts";
import { type PageId, seoPages } from "#lib/content/seo.ts";
import design from "../../tailwind.config.ts";

const { asphalt, sign, lane, paper, white } = design.theme.colors;

/** Where the middle square begins: everything that must survive every cut is to the right of it. */
const LEFT = 300;
const WIDTH = 600;
const ALL = { left: 0, top: 0, width: 1200, height: 630 };
/** The upper edge of the home page's illustration, continued above it. */
const SKY = "#b4daf0";

/** The drawings of the pictures as data URLs: they are drawn where no server answers. */
export type Drawing = (file: string, colour?: string) => string;

/** Something at a place of the picture; without a bottom or height it is as high as what it holds. */
function Box({ at, children }: { at: CSSProperties; children?: ReactNode }) {
  const column = { display: "flex", flexDirection: "column", position: "absolute" } as const;
  return <div style={{ ...column, ...at }}>{children}</div>;
}

/** Copy as on a phone, whose line breaks hold in 600 px. */
function Lines({ copy, style }: { copy: string; style: CSSProperties }) {
  const text = copyParts(copy)
    .map((part) => (part.kind !== "break" ? part.text : part.at === "desktop" ? " " : "\n"))
    .join("");
  return (
    <div style={{ display: "flex", flexDirection: "column", ...style }}>
      {text.split("\n").map((line) => (
        <span key={line}>{line}</span>
      ))}
    </div>
  );
}

function Title({ page, logo, colour, size = 64 }: TitleProps) {
  const headline = {
    color: colour === white ? white : asphalt[900],
    fontSize: size,
    marginTop: 12,
  };
  return (
    <div style={{ display: "flex", flexDirection: "column" }}>
      <div style={{ display: "flex", alignItems: "center", gap: 12, fontSize: 32, color: colour }}>
        <img src={logo} width={46} height={46} alt="" />
        <span style={{ letterSpacing: "-0.02em" }}>{business.name}</span>
      </div>
      <Lines
        copy={seoPages[page].headline}
        style={{ ...headline, letterSpacing: "-0.036em", lineHeight: 1.22 }}
      />
    </div>
  );
}

interface TitleProps {
  page: PageId;
  logo: string;
  colour: string;
  size?: number;
}

/** A stretch of asphalt with the course's hours as yellow dashes, as under the home page's picture. */
function Hours() {
  const dashes = Array.from({ length: COURSE_HOURS }, (_, hour) => hour);
  return (
    <Box at={{ left: 0, top: 552, width: 1200, height: 78, background: asphalt[900] }}>
      <div style={{ display: "flex", gap: 20, padding: `24px ${LEFT}px 0` }}>
        {dashes.map((hour) => (
          <div key={hour} style={{ flex: 1, height: 12, background: lane[500] }} />
        ))}
      </div>
    </Box>
  );
}

/** A direction sign with its white keyline, over the road. */
function DirectionSign({ top, children }: { top: number; children: ReactNode }) {
  const board = { left: 285, top, width: 630, padding: 8, borderRadius: 20 };
  const keyline = { border: `4px solid ${white}`, borderRadius: 12, padding: "28px 30px 30px" };
  return (
    <Box at={{ ...board, background: sign[800] }}>
      <div style={{ display: "flex", flexDirection: "column", ...keyline }}>{children}</div>
    </Box>
  );
}

function Post({ left, top }: { left: number; top: number }) {
  return <Box at={{ left, top, width: 14, height: 630 - top, background: asphalt[400] }} />;
}

/** The lowest price of each group. */
function Prices() {
  const groups = priceBlock.groups.map(({ id, title }) => {
    const prices = offers.filter((offer) => offer.group === id).map((offer) => offer.price);
    const lowest = Math.min(...prices);
    const from = prices.every((price) => price === lowest) ? "" : "~";
    return { title, digits: wonDigits(lowest), unit: priceBlock.won + from };
  });
  return (
    <div style={{ display: "flex", gap: 40, marginTop: 22 }}>
      {groups.map(({ title, digits, unit }) => (
        <div key={title} style={{ display: "flex", flexDirection: "column", lineHeight: 1.15 }}>
          <span style={{ color: sign[800], fontSize: 26, fontWeight: 700 }}>{title}</span>
          <div style={{ display: "flex", alignItems: "flex-end", color: asphalt[900] }}>
            <span style={{ fontSize: 54, letterSpacing: "-0.04em" }}>{digits}</span>
            <span style={{ fontSize: 28, fontWeight: 700, marginBottom: 6 }}>{unit}</span>
          </div>
        </div>
      ))}
    </div>
  );
}

const pictures: Readonly<Record<PageId, (drawing: Drawing) => ReactNode>> = {
  home: (drawing) => (
    <Box at={{ ...ALL, background: SKY }}>
      <Box at={{ left: 0, top: 40 }}>
        <img src={drawing(hero.picture.src)} width={1200} height={675} alt="" />
      </Box>
      <Box
        at={{ inset: 0, bottom: 500, backgroundImage: `linear-gradient(${SKY} 31%, ${SKY}00)` }}
      />
      <Box at={{ left: LEFT, top: 115, width: WIDTH }}>
        <Title
          page="home"
          logo={drawing("/art/logo.svg", sign[700])}
          colour={sign[700]}
          size={58}
        />
      </Box>
    </Box>
  ),

  gallery: (drawing) => (
    <>
      <Box at={{ left: 0, top: -178 }}>
        <img src={drawing("/art/gallery-3.svg")} width={1200} height={900} alt="" />
      </Box>
      <Box at={{ left: 96, top: 128, width: 1008, height: 20, background: asphalt[400] }} />
      <Post left={96} top={128} />
      <Post left={1090} top={128} />
      <DirectionSign top={82}>
        <Title page="gallery" logo={drawing("/art/logo.svg", white)} colour={white} size={60} />
      </DirectionSign>
    </>
  ),

  pricing: (drawing) => (
    <Box at={{ ...ALL, background: paper }}>
      <Hours />
      {offers.map(({ picture }, index) => (
        <Box key={picture.src} at={{ left: LEFT - 24 + index * 208, top: 397 }}>
          <img src={drawing(picture.src)} width={232} height={131} alt="" />
        </Box>
      ))}
      <Box at={{ left: LEFT, top: 118, width: WIDTH }}>
        <Title page="pricing" logo={drawing("/art/logo.svg", sign[700])} colour={sign[700]} />
        <Prices />
      </Box>
    </Box>
  ),

  contact: (drawing) => (
    <>
      <Box at={{ left: -290, top: 0 }}>
        <img src={drawing(closing.picture.src)} width={1680} height={630} alt="" />
      </Box>
      <Box at={{ left: LEFT, top: 330, width: WIDTH }}>
        <Title page="contact" logo={drawing("/art/logo.svg", white)} colour={white} size={72} />
        <Lines
          copy={contact.hint.title}
          style={{ color: asphalt[100], fontSize: 28, fontWeight: 700, marginTop: 6 }}
        />
      </Box>
    </>
  ),

  privacy: (drawing) => (
    <Box at={{ ...ALL, background: paper }}>
      <Post left={400} top={300} />
      <Post left={786} top={300} />
      <Hours />
      <DirectionSign top={180}>
        <Title page="privacy" logo={drawing("/art/logo.svg", white)} colour={white} size={62} />
      </DirectionSign>
    </Box>
  ),
};

/** A page's picture. */
export function previewPicture(page: PageId, drawing: Drawing): ReactElement {
  return (
    <div style={{ display: "flex", width: "100%", height: "100%", fontWeight: 800 }}>
      {pictures[page](drawing)}
    </div>
  );
}
