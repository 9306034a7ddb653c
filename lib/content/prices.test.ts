import { describe, expect, test } from "vitest";
import { plainCopy } from "#lib/content/copy.ts";
import { type Offer, offers, priceFrom, saving, savingsSentence } from "#lib/content/prices.ts";

const [own, sedan, suv] = offers;
/** An offer with invented prices: these tests pass whatever the business charges. */
const pricedOffer = (offer: Offer | undefined, listPrice: number, price = listPrice): Offer => {
  if (offer === undefined) throw new Error("an offer is missing");
  return { ...offer, listPrice, price };
};

describe("the prices", () => {
  test("prices are never above the list price", () => {
    for (const offer of offers) expect(saving(offer)).toBeGreaterThanOrEqual(0);
  });

  test.each([
    [[290, 340, 340], "자차와 SUV 연수차는 30,000원, 중형 연수차는 10,000원"],
    [[320, 340, 340], "SUV 연수차는 30,000원, 중형 연수차는 10,000원"],
  ])("savings at the prices %j (in 1,000 won) are listed from the highest", (asked, sentence) => {
    const now = [pricedOffer(own, 320_000), pricedOffer(sedan, 350_000), pricedOffer(suv, 370_000)];
    const discounted = now.map((offer, index) => ({
      ...offer,
      price: (asked[index] ?? 0) * 1_000,
    }));
    expect(plainCopy(savingsSentence(discounted))).toBe(sentence);
  });

  test("different prices are shown as the lowest with 부터, equal ones as one price", () => {
    const from = (...prices: number[]) =>
      priceFrom(prices.map((price) => pricedOffer(sedan, 370_000, price)));
    expect(from(340_000, 340_000)).toBe("340,000원");
    expect(from(340_000, 360_000)).toBe("340,000원부터");
  });
});
