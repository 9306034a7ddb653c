import { describe, expect, test } from "vitest";
import { plainCopy } from "#lib/content/copy.ts";
import { type Offer, offers, priceFrom, saving, savingsSentence } from "#lib/content/prices.ts";

const [own, sedan, suv] = offers;
/** An offer at other prices, so that these tests hold whatever the business asks. */
const priced = (offer: Offer | undefined, listPrice: number, price: number): Offer => {
  if (offer === undefined) throw new Error("an offer is missing");
  return { ...offer, listPrice, price };
};

describe("the prices", () => {
  test("are never above the list price", () => {
    for (const offer of offers) expect(saving(offer)).toBeGreaterThanOrEqual(0);
  });

  test("make the sentence about the discount, offers of one saving together, the highest first", () => {
    const now = [
      priced(own, 320_000, 290_000),
      priced(sedan, 350_000, 340_000),
      priced(suv, 370_000, 340_000),
    ];
    expect(plainCopy(savingsSentence(now))).toBe(
      "자차와 SUV 연수차는 30,000원, 중형 연수차는 10,000원",
    );
  });

  test("change that sentence when one of them changes, and leave out what is not discounted", () => {
    const now = [
      priced(own, 320_000, 320_000),
      priced(sedan, 350_000, 310_000),
      priced(suv, 370_000, 350_000),
    ];
    expect(plainCopy(savingsSentence(now))).toBe("중형 연수차는 40,000원, SUV 연수차는 20,000원");
  });

  test("are named once where they are the same, and from the lowest where they differ", () => {
    expect(priceFrom([priced(sedan, 350_000, 340_000), priced(suv, 370_000, 340_000)])).toBe(
      "340,000원",
    );
    expect(priceFrom([priced(sedan, 350_000, 340_000), priced(suv, 370_000, 360_000)])).toBe(
      "340,000원부터",
    );
  });
});
