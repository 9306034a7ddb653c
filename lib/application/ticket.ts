import { type Wish, wishes } from "#lib/content/wishes.ts";

interface Ticket {
  carType: "own" | "training";
  wish: Wish | undefined;
}

/** What the address of a price ticket's button asks for: `?car=suv`. An unknown car is ignored. */
export function ticketIn(search: string): Ticket | undefined {
  const car = new URLSearchParams(search).get("car");
  if (car === "own") return { carType: "own", wish: undefined };
  const wish = wishes.find((one) => car !== null && one.car === car);
  return wish && { carType: "training", wish };
}
