import { expect, test } from "vitest";
import { calculateSaving, formatLowestPrice, formatSavings, offers } from "#lib/content/prices.ts";

test("prices are never above the list price", () => {
  for (const offer of offers) expect(calculateSaving(offer)).toBeGreaterThanOrEqual(0);
});

test.each([
  [[290, 340, 340], "자차와 SUV 연수차는 30,000원, 중형 연수차는 10,000원"],
  [[320, 340, 340], "SUV 연수차는 30,000원, 중형 연수차는 10,000원"],
])("savings at the prices %j (in 1,000 won) are listed from the highest", (asked, sentence) => {
  const invented = [
    { called: "자차", listPrice: 320_000 },
    { called: "중형 연수차", listPrice: 350_000 },
    { called: "SUV 연수차", listPrice: 370_000 },
  ].map((offer, index) => ({ ...offer, price: (asked[index] ?? 0) * 1_000 }));
  expect(formatSavings(invented)).toBe(sentence);
});

test("부터 follows the lowest of different prices", () => {
  const from = (...prices: number[]) => formatLowestPrice(prices.map((price) => ({ price })));
  expect(from(340_000, 340_000)).toBe("340,000원");
  expect(from(340_000, 360_000)).toBe("340,000원부터");
});
