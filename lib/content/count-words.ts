const WORDS = ["", "한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉", "열"];

/** A number in front of what it counts: 3 is `세`, as in `세 가지`. Above ten in digits. */
export function countWord(count: number): string {
  return WORDS[count] ?? `${count}`;
}
