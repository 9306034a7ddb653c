/** Where the business teaches. The arrow points from 이천 with north up. */
export interface Region {
  readonly name: string;
  /** Where a name alone could mean another city, what tells them apart. */
  readonly province?: string;
  readonly romanised: string;
  readonly direction:
    | "here"
    | "north"
    | "northeast"
    | "east"
    | "southeast"
    | "south"
    | "southwest"
    | "west"
    | "northwest";
  /** Whether the application forms offer it; one that they do not offer is for a call or a text. */
  readonly inForm: boolean;
}

export const regions: readonly Region[] = [
  { name: "이천", romanised: "Icheon", direction: "here", inForm: true },
  { name: "여주", romanised: "Yeoju", direction: "east", inForm: true },
  { name: "광주", province: "경기", romanised: "Gwangju", direction: "northwest", inForm: true },
  { name: "원주", romanised: "Wonju", direction: "east", inForm: true },
  { name: "양평", romanised: "Yangpyeong", direction: "north", inForm: true },
  { name: "천안", romanised: "Cheonan", direction: "southwest", inForm: true },
  { name: "충주", romanised: "Chungju", direction: "southeast", inForm: false },
];

/** The regions that an application may name. */
export const formRegions: readonly string[] = regions
  .filter((region) => region.inForm)
  .map((region) => region.name);

/** A region as copy: `이천`, or `[광주(경기)]` where the province tells cities apart. */
export function regionCopy({ name, province }: Region): string {
  return province ? `[${name}(${province})]` : name;
}
