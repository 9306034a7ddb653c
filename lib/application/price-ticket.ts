import { wishes } from "#lib/content/wishes.ts";

/** What the address of a price ticket's button asks for: `?car=suv`. An unknown car is ignored. */
export function parseTicket(search: string) {
  const car = new URLSearchParams(search).get("car");
  if (car === "own") return { carType: "own", wish: undefined } as const;
  const wish = wishes.find((one) => car !== null && one.car === car);
  return wish && ({ carType: "training", wish } as const);
}
