import { regionId, regions } from "#lib/content/regions.ts";
import { wishes } from "#lib/content/wishes.ts";

/** The choices in a link to the form: `?car=suv`, `?region=yeoju`, `?wish=parking`. Unknown choices are ignored. */
export function parsePrefill(search: string) {
  const query = new URLSearchParams(search);
  const [car, region, id] = ["car", "region", "wish"].map((name) => query.get(name));
  const wish = wishes.find((each) => (car ? each.car === car : each.id === id));
  const named = regions.find(({ romanised }) => regionId(romanised) === region);
  return {
    region: named?.isPhoneOnly ? undefined : named?.name,
    carType: car === "own" ? car : wish?.car && "training",
    wish,
  };
}
