import { COURSE_HOURS } from "#lib/content/prices.ts";

const HOURS = Array.from({ length: COURSE_HOURS }, (_, index) => index + 1);

/** A short piece of road with a yellow dash for each hour. Decoration: the hours stand beside it. */
export function HourDashes() {
  return (
    <span
      aria-hidden
      className="flex h-[18px] min-w-[6.5em] flex-1 items-center gap-[6px] rounded-[3px] bg-asphalt-700 px-[8px]"
    >
      {HOURS.map((hour) => (
        <span key={hour} className="h-1 min-w-0 flex-1 bg-lane-500" />
      ))}
    </span>
  );
}
