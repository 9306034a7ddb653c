/**
 * Korean carriers deliver only EUC-KR (ASCII and KS X 1001 with its 2,350 syllables) from Twilio's numeric senders. Any
 * other character garbles or loses the message: https://www.twilio.com/en-us/guidelines/kr/sms
 */

const BYTES = Array.from({ length: 94 }, (_, index) => 0xa1 + index);
/** Only the pairs of KS X 1001: the decoder would also read those of CP949, which carriers do not deliver. */
const PAIRS = Uint8Array.from(BYTES.flatMap((lead) => BYTES.flatMap((trail) => [lead, trail])));
const KS_X_1001 = new Set(new TextDecoder("euc-kr").decode(PAIRS).replace(/[\ufffd\p{Co}]/gu, ""));

/** Line breaks count as characters of EUC-KR. */
export const isEucKrText = (text: string) => [...text].every(isEucKrCharacter);

const isEucKrCharacter = (character: string) =>
  /^[\n\x20-\x7e]$/.test(character) || KS_X_1001.has(character);

export const fitToEucKr = (text: string) =>
  [...text.normalize("NFC")].map(nearestCharacters).join("");

/** The last character of each string replaces the others. If ❌ were dropped, a message could say the opposite. */
const LOOKALIKES = [
  ...["‘’‚‛'", '“”„‟"', "〜~", "•◦‣▪·", "₩￦", "❗❕!", "❓❔?"],
  ...["❌❎✖✕✗✘🚫⛔🙅×", "⭕🙆🆗○", "✅✔☑✓√", "📞📱☎", "➡→", "➕+", "➖-", "➗÷"],
];

/** Characters without a sound: emoji and their parts, combining marks, format and control characters. */
const DROPPED_CHARACTER_PATTERN =
  /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\p{Mark}\p{Cf}\p{Cc}]/u;
const COMBINING_MARK_PATTERN = /\p{Mark}/gu;
/** Replaces a character that resembles none of EUC-KR, and a text whose characters were all dropped. */
export const REPLACEMENT_SIGN = "□";

function nearestCharacters(typed: string): string {
  const character = LOOKALIKES.find((signs) => signs.includes(typed))?.at(-1) ?? typed;
  if (isEucKrCharacter(character)) return character;
  if (/[\p{Zs}\t]/u.test(character)) return " ";
  if (/\p{Dash}/u.test(character)) return "-";
  if (/[가-힣]/.test(character)) return nearestSyllable(character);
  if (DROPPED_CHARACTER_PATTERN.test(character)) return "";
  const plain = [
    character.normalize("NFKC"),
    character.normalize("NFKD").replace(COMBINING_MARK_PATTERN, ""),
  ];
  return plain.find(isEucKrText) ?? REPLACEMENT_SIGN;
}

const SYLLABLE_BASE = 0xac00;
const VOWELS = [..."ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"];
const INITIALS = [..."ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"];
const FINALS = ["", ..."ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"];

/** Final consonants that sound alike, the plainest first: 샾 becomes 샵. */
const SOUND_ALIKE = ["ㄱㄲㄳㄺㅋ", "ㄴㄵㄶ", "ㅅㄷㅆㅈㅊㅌㅎ", "ㄹㄼㄽㄾㅀ", "ㅁㄻ", "ㅂㄿㅄㅍ"];

/** Replaces a syllable by one that sounds alike, or by its parts (똠 → 또ㅁ). */
function nearestSyllable(syllable: string): string {
  const index = syllable.charCodeAt(0) - SYLLABLE_BASE;
  const final = FINALS[index % 28] ?? "";
  const open = String.fromCharCode(SYLLABLE_BASE + index - (index % 28));
  const soundsAlike = [...(SOUND_ALIKE.find((each) => final && each.includes(final)) ?? "")]
    .map((alike) => String.fromCharCode(open.charCodeAt(0) + FINALS.indexOf(alike)))
    .find((candidate) => KS_X_1001.has(candidate));
  if (soundsAlike !== undefined) return soundsAlike;
  if (KS_X_1001.has(open)) return open + final;
  const initial = INITIALS[Math.floor(index / 588)] ?? "";
  const vowel = VOWELS[Math.floor((index % 588) / 28)] ?? "";
  return initial + vowel + final;
}
