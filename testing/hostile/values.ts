/**
 * Hostile values by kind: strings that another program could take for code, or that hide, reverse, break or overflow a
 * line. Each occurs alone, and a few of each kind within ordinary text. With that text, a value has at most 50
 * characters, the limit of a name. The form must accept every value that a person could have meant.
 */
import fc from "fast-check";

/** Adds many combining marks to each letter. */
const zalgo = (text: string, marks: number) =>
  [...text].map((letter) => letter + "\u0335\u0321\u0316\u0301".repeat(marks)).join("");
const placeInName = (characters: string) =>
  [...characters].map((character) => `김${character}여주`);
const splitTexts = (listed: string) => listed.split("¦");

const PIECES: Readonly<Record<string, readonly string[]>> = {
  bidi: placeInName("\u202a\u202d\u202e\u2066\u2067\u2069\u200e\u200f\u061c").concat(
    "مرحبا",
    "\u202egpj.exe",
  ),
  invisible: placeInName(
    "\u200b\u200c\u200d\u2060\u2063\ufeff\u00ad\u180e\u034f\u115f\u3164\uffa0\u{e0041}\u00a0\u3000",
  ),
  control: placeInName("\u0000\u0001\b\u000b\u000c\u007f\u0085\u009b"),
  emoji: splitTexts("🚗¦👩‍👩‍👧‍👦¦👋🏽¦🏳️‍🌈¦🇰🇷¦1️⃣¦❤️¦☎"),
  lineBreaks: placeInName("\n\r\u2028\u2029").concat(
    "김\r\n여주",
    "전화번호: 02-1111-2222\n이름: 남의 이름",
  ),
  surrogates: splitTexts("김\ud800여주¦\ud83d김¦김여주\ud83d¦\udc00\ud800김"),
  unicode: splitTexts(
    "샾뷁똠방각하¦ㄱㅣㅁ¦𠮷野家¦Ａｄ¦ﷺ¦ß¦김–이¦\ufffd¦\uffff김¦\ue000김¦ﬁ",
  ).concat(zalgo("김여주", 1), zalgo("가", 12), "김".normalize("NFD")),
  long: ["김", "🚗", "W", "<"].map((character) => character.repeat(50)),
  terminal: splitTexts(
    "\u001b[31m김¦\u001b[2J\u001b[H김¦\u001b]0;own\u0007김¦\u001b]8;;http://e.example\u0007김¦\u009d52;c;aGk=\u009c김",
  ),
  headers: splitTexts(
    '김\r\nBcc: a@evil.example¦김\r\n\r\n<html>¦김\rSubject: x¦김%0d%0aBcc:x¦=?utf-8?Q?=0D=0ABcc:_x?=¦김\r\n.\r\nMAIL FROM:<x>¦"김" <a@evil.example>¦--boundary--',
  ),
  html: splitTexts(
    '<script>alert(1)</script>¦<img src=x onerror=alert(1)>¦"><svg/onload=alert(1)>¦<a href=javascript:alert(1)>여기</a>¦</td></tr></table><h1>공지¦</title><style>*{display:none}¦<!--¦&lt;b&gt;¦<scr\u200bipt>alert(1)¦{{constructor}}',
  ),
  links: splitTexts(
    "https://evil.example/a¦HTTP://EVIL.EXAMPLE¦www.evil.example¦evil.kr/결제¦tel://01012341234¦a@evil.example¦192.168.0.1/admin¦http://[::1]/¦한글.한국¦evil。example¦evil\u2024example¦e\u200bvil.\u200bexample¦//evil.example",
  ),
  formulas: splitTexts(
    '=1+1¦=cmd|\'/C calc\'!A0¦+821012345678¦-2+3¦@SUM(1+1)¦\t=1+1¦\r=1+1¦＝1+1¦"=1+1¦a,b;c\td¦"a""b"',
  ),
  orders: splitTexts(
    "'; DROP TABLE applications;--¦김'여주¦%' AND 1=1¦NULL¦\u0024{7*7}¦{{7*7}}¦<%= 7*7 %>¦{number}¦$&$1$`$'¦`id`¦$(id)¦; rm -rf /¦../../etc/passwd¦%s%n¦%1$s¦{0}",
  ),
  words: splitTexts(
    'undefined¦null¦NaN¦[object Object]¦constructor¦__proto__¦Infinity¦1e309¦01012345678¦[]¦\\u0000¦\\¦"',
  ),
};

const anyWord = fc.constantFrom("", "김", "여주 ", " 안녕하세요", "Kim", "34", " ");
const amongWords = (pieces: readonly string[]) =>
  fc
    .tuple(anyWord, fc.constantFrom(...pieces), anyWord)
    .map((parts) => parts.join(""))
    .filter((text) => [...text].length <= 50 && text.trim() !== "");

/** The values are the same in every run. */
export const HOSTILE_VALUES: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(PIECES).map(([kind, pieces]) => {
    const sampled = fc.sample(amongWords(pieces), { seed: 1, numRuns: 8 });
    return [kind, [...new Set([...pieces, ...sampled])]];
  }),
);

/** Values that fit only into the message, which may have 1,000 characters. */
export const HOSTILE_MESSAGES: readonly string[] = [
  "🚗".repeat(1_000),
  `${"\n".repeat(500)}끝`,
  "<script>".repeat(120),
  "https://evil.example ".repeat(45),
  zalgo("가", 200),
  "\n.\n".repeat(300),
  "%00%0a%0d".repeat(100),
];
