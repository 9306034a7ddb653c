/** The topic particle: `충주는`, `제천은`. */
export const withTopicParticle = (word: string) => withParticle(word, "은", "는");
/** The object particle: `나이를`, `성별을`. */
export const withObjectParticle = (word: string) => withParticle(word, "을", "를");
/** The subject particle: `문자가`, `메일이`. */
export const withSubjectParticle = (word: string) => withParticle(word, "이", "가");
/** The particle for "and": `자차와`, `중형과`. */
export const withAndParticle = (word: string) => withParticle(word, "과", "와");

/** The particle depends on the word's last syllable. A letter or digit counts as it is read aloud: `…P를`, but `…M을`. */
const withParticle = (word: string, afterConsonant: string, afterVowel: string) =>
  word + (endsInConsonant(word) ? afterConsonant : afterVowel);

/** The particle for "by means of": `문자로`, `메일로`, `알림톡으로`. */
export function withMeansParticle(word: string): string {
  const endsInRieul = /\u11af$/.test(word.normalize("NFD"));
  return word + (endsInConsonant(word) && !endsInRieul ? "으로" : "로");
}

/** U+11A8 to U+11C2 are the final consonants of a decomposed syllable; U+11AF is ㄹ. */
function endsInConsonant(word: string): boolean {
  return /[\u11a8-\u11c2LMNR013678]$/.test(word.normalize("NFD"));
}

/** `자차와 중형과 SUV는`, if `addLast` adds the topic particle. */
export function joinWithAnd(words: readonly string[], addLast: (word: string) => string): string {
  return words
    .map((word, index) => (index < words.length - 1 ? withAndParticle(word) : addLast(word)))
    .join(" ");
}

const COUNT_WORDS = ["", "한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉", "열"];

/** The number before a counted noun: 3 is `세`, as in `세 가지`. Numbers above ten are digits. */
export function koreanCount(count: number): string {
  return COUNT_WORDS[count] ?? `${count}`;
}
