import { formRegions } from "#lib/content/regions.ts";
import { wishes } from "#lib/content/wishes.ts";

/** Reads what a link to the form asks for: `?car=suv`, `?region=여주` or `?wish=주차`. Unknown values are ignored. */
export function parseTicket(search: string) {
  const query = new URLSearchParams(search);
  const [car, region, label] = ["car", "region", "wish"].map((name) => query.get(name));
  const wish = wishes.find((each) => (car ? each.car === car : each.label === label));
  return {
    region: formRegions.find((each) => each === region),
    carType: car === "own" ? car : wish?.car && "training",
    wish,
  };
}
