export interface Region {
  readonly name: string;
  /** The province, if another city has the same name. */
  readonly province?: string;
  /** The official name, which ends in 시 (a city) or 군 (a county). */
  readonly official: string;
  readonly romanised: string;
  /** The direction of the region's arrow, seen from 이천. North is up. */
  readonly direction: "here" | "east" | "west" | `${"north" | "south"}${"" | "east" | "west"}`;
  /** The forms do not offer the region: visitors from there call or text. */
  readonly isPhoneOnly?: true;
}

export const regions: readonly Region[] = [
  { name: "이천", official: "이천시", romanised: "Icheon", direction: "here" },
  { name: "여주", official: "여주시", romanised: "Yeoju", direction: "east" },
  {
    name: "광주",
    official: "광주시",
    province: "경기",
    romanised: "Gwangju",
    direction: "northwest",
  },
  { name: "원주", official: "원주시", romanised: "Wonju", direction: "east" },
  { name: "양평", official: "양평군", romanised: "Yangpyeong", direction: "north" },
  { name: "천안", official: "천안시", romanised: "Cheonan", direction: "southwest" },
  {
    name: "충주",
    official: "충주시",
    romanised: "Chungju",
    direction: "southeast",
    isPhoneOnly: true,
  },
];

/** The id in a link to the form. An address with Hangul would be percent-encoded and unreadable. */
export const regionId = (romanised: string) => romanised.toLowerCase();

export const formRegionNames: readonly string[] = regions
  .filter((region) => !region.isPhoneOnly)
  .map((region) => region.name);

export const phoneOnlyRegionNames: readonly string[] = regions
  .filter((region) => region.isPhoneOnly)
  .map((region) => region.name);

/** Plain text, with the province if the region has one: `광주(경기)`. */
export const listRegionNames = () =>
  regions.map(({ name, province }) => (province ? `${name}(${province})` : name));

/** In the notation of text-notation.ts: `이천`, or `[광주(경기)]`, which stays on one line. */
export function formatRegionName({ name, province }: Region): string {
  return province ? `[${name}(${province})]` : name;
}

/** `이천, 여주, [광주(경기),] …`: no line starts with a comma. */
export const joinRegionNames = () =>
  regions.map(formatRegionName).join(", ").replaceAll("],", ",]");
