import { describe, expect, test } from "vitest";
import { plainCopy } from "#lib/content/copy.ts";
import { type Offer, offers, priceFrom, saving, savingsSentence } from "#lib/content/prices.ts";

const [own, sedan, suv] = offers;
const changed = (offer: Offer | undefined, price: number): Offer => {
  if (offer === undefined) throw new Error("an offer is missing");
  return { ...offer, price };
};

describe("the prices", () => {
  test("are those that the business gave", () => {
    expect(
      offers.map(({ listPrice, price, mostChosen }) => [listPrice, price, mostChosen]),
    ).toEqual([
      [320_000, 290_000, true],
      [350_000, 340_000, true],
      [370_000, 340_000, false],
    ]);
    expect(offers.map(saving)).toEqual([30_000, 10_000, 30_000]);
  });

  test("make the sentence about the discount, offers of one saving together, the highest first", () => {
    expect(plainCopy(savingsSentence(offers))).toBe(
      "자차와 연수차 SUV는 30,000원, 연수차 중형은 10,000원",
    );
  });

  test("change that sentence when one of them changes, and leave out what is not discounted", () => {
    const now = [changed(own, 320_000), changed(sedan, 310_000), changed(suv, 350_000)];
    expect(plainCopy(savingsSentence(now))).toBe("연수차 중형은 40,000원, 연수차 SUV는 20,000원");
  });

  test("are named once where they are the same, and from the lowest where they differ", () => {
    expect(priceFrom([changed(sedan, 340_000), changed(suv, 340_000)])).toBe("340,000원");
    expect(priceFrom([changed(sedan, 340_000), changed(suv, 360_000)])).toBe("340,000원부터");
  });
});
