import type { Region } from "#lib/content/regions.ts";

const TURN: Record<Region["direction"], string> = {
  here: "",
  north: "-rotate-90",
  northeast: "-rotate-45",
  east: "",
  southeast: "rotate-45",
  south: "rotate-90",
  southwest: "rotate-135",
  west: "rotate-180",
  northwest: "-rotate-135",
};

/** The arrow of a Korean direction sign. */
export function RoadArrow({
  direction = "east",
  className = "size-7",
}: {
  direction?: Region["direction"] | undefined;
  className?: string;
}) {
  return (
    <svg aria-hidden viewBox="0 0 28 28" className={`shrink-0 ${TURN[direction]} ${className}`}>
      {direction === "here" ? (
        <>
          <circle cx="14" cy="14" r="10" fill="none" stroke="currentColor" strokeWidth="3.2" />
          <circle cx="14" cy="14" r="3.6" fill="currentColor" />
        </>
      ) : (
        <path fill="currentColor" d="M1 9.5h13V2l13 12-13 12v-7.500H1z" />
      )}
    </svg>
  );
}
