/** Text whose characters alone make trouble: they hide, turn, break or overflow a line, or are no characters. */

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index));

/** Letters, each under a pile of marks. */
export const zalgo = (text: string, marks: number) =>
  [...text].map((letter) => letter + "\u0335\u0321\u0316\u0301".repeat(marks)).join("");

export const HOSTILE_CHARACTERS = {
  bidi: [
    ...[...range(0x202a, 0x202e), ...range(0x2066, 0x2069), "\u200e", "\u200f", "\u061c"].map(
      (mark) => `김${mark}여주`,
    ),
    "\u202egpj.exe.주여김",
    "مرحبا 김여주",
    "שלום 여주",
    "김여주 \u2067שלום\u2069!",
  ],
  invisible: [
    ..."\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\ufeff\u00ad\u180e\u034f\u115f\u1160\u3164\uffa0"
      .split("")
      .map((mark) => `김${mark}여주`),
    "김\u{e0001}\u{e0041}\u{e0042}여주",
    "김여주\ufe0f",
    "\u2028김여주\u2029길동",
    "김\u00a0여주",
    "김\u3000여주",
  ],
  control: [
    ...range(0x01, 0x08).map((control) => `김${control}여주`),
    "김\tv\u000b여주",
    "김\u000c여주",
    "김\u007f여주",
    "김\u0085여주",
    "김\u009b31m여주",
    "김\u0000여주",
    "김\b\b\b여주",
  ],
  emoji: [
    "🚗",
    "김🚗여주",
    "👩‍👩‍👧‍👦",
    "👋🏽",
    "🏳️‍🌈",
    "🇰🇷",
    "1️⃣",
    "❤️",
    "☎",
    "👨‍🦰 기사",
    "🤷‍♀️🤷‍♀️🤷‍♀️",
    "\u{1f9ff}",
  ],
  lineBreaks: [
    "김\n여주",
    "김\r여주",
    "김\r\n여주",
    "김여주\n\n\n\n\n",
    "전화번호: 02-1111-2222\n이름: 남의 이름",
    "김여주\n신청 7K3M-PQ9X\n홍길동",
    "김\u2028여주",
    "김\u2029여주",
  ],
  surrogates: [
    "김\ud800여주",
    "김\udc00여주",
    "\ud83d김여주",
    "김여주\ud83d",
    "\udc00\ud800김",
    "김\ud83d\ud83d\ude00",
  ],
  unicode: [
    zalgo("김여주", 1),
    zalgo("Zalgo", 2),
    zalgo("가", 12),
    "샾뷁똠방각하",
    "힣힣힣",
    "김여주".normalize("NFD"),
    "ㄱㅣㅁ",
    "ㅋㅋㅋㅋ",
    "金麗州",
    "𠮷野家",
    "Ａｄｍｉｎ",
    "𝐊𝐢𝐦",
    "ﷺ",
    "ﬁ ligature",
    "Ⅷ",
    "ß SS ı İ",
    "Ω≈ç√∫˜µ",
    "田中さんに",
    "Кириллица",
    "ภาษาไทย",
    "नमस्ते",
    "김–여주—이",
    "“따옴표” ‘하나’",
    "…",
    "10,000원",
    "\ufffd",
    "\uffff\ufdd0김",
    "\ue000김",
  ],
  long: ["김".repeat(50), "🚗".repeat(50), "W".repeat(50), `${"가 ".repeat(24)}가`, "<".repeat(50)],
} as const satisfies Record<string, readonly string[]>;
