import fc from "fast-check";
import { expect, it } from "vitest";
import { hasWish, withoutWish, withWish } from "#lib/browser/message-wishes.ts";
import { wishes } from "#lib/content/wishes.ts";

const FEMALE = "여성 강사 희망";
const PARKING = "주차 연습";

it.each([
  ["", FEMALE],
  ["차가 무서워요", `${FEMALE}\n차가 무서워요`],
  [PARKING, `${PARKING}, ${FEMALE}`],
  [`${PARKING}\n차가 무서워요`, `${PARKING}, ${FEMALE}\n차가 무서워요`],
  [`${PARKING} 꼭 부탁드려요`, `${PARKING}, ${FEMALE} 꼭 부탁드려요`],
  [`${FEMALE}합니다`, `${FEMALE}\n${FEMALE}합니다`],
])("a chosen wish is added to the message %j", (message, written) => {
  expect(withWish(message, FEMALE)).toBe(written);
  expect(withWish(written, FEMALE)).toBe(written);
  expect(withoutWish(written, FEMALE)).toBe(message);
});

it.each([
  [`${FEMALE}, ${PARKING}`, PARKING],
  [`${FEMALE} 차가 무서워요`, "차가 무서워요"],
  [`안녕하세요\n${FEMALE}`, "안녕하세요"],
  [`안녕하세요\n${FEMALE}\n고맙습니다`, "안녕하세요\n고맙습니다"],
  [`${PARKING}, ${FEMALE}, 야간 운전 연습`, `${PARKING}, 야간 운전 연습`],
  [`${FEMALE}.`, ""],
])("a wish that is no longer chosen is removed from the message %j", (message, rest) => {
  expect(hasWish(message, FEMALE)).toBe(true);
  expect(withoutWish(message, FEMALE)).toBe(rest);
});

it("a wish for a car replaces the wish for another car", () => {
  const [first, second] = wishes.filter(({ car }) => car).map(({ words }) => words);
  const message = withWish(`${PARKING}, ${first}\n차가 무서워요`, second ?? "");
  expect(message).toBe(`${PARKING}, ${second}\n차가 무서워요`);
});

it("wishes can be removed from the message in any order", () => {
  const words = wishes.filter(({ car }) => !car).map((wish) => wish.words);
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme" }).filter((text) => !words.some((one) => text.includes(one))),
      fc.shuffledSubarray(words),
      fc.shuffledSubarray(words),
      (message, pressed, released) => {
        const all = pressed.reduce(withWish, message);
        for (const one of pressed) expect(hasWish(all, one)).toBe(true);
        const others = released.filter((one) => pressed.includes(one));
        const rest = others.reduce(withoutWish, all);
        for (const one of pressed) expect(hasWish(rest, one)).toBe(!others.includes(one));
        const left = pressed.filter((one) => !others.includes(one));
        expect(left.reduce(withoutWish, rest)).toBe(message);
      },
    ),
  );
});
