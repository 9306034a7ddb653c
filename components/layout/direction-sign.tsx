import { RoadArrow } from "#components/ui/road-arrow.tsx";
import { notFoundTexts } from "#lib/content/error-pages.ts";
import { menuPages } from "#lib/content/pages.ts";

const DIRECTIONS = ["north", "west", "east", "northeast"] as const;
const POST_CLASSES = "absolute top-full h-20 w-3 bg-asphalt-400 lg:h-32";

export function DirectionSign() {
  return (
    <nav aria-label={notFoundTexts.sign} className="on-dark relative mb-20 lg:mb-32">
      <ul className="keyline-wide grid grid-cols-1 rounded-xl bg-sign-800 px-5 py-4 text-white md:grid-cols-2 md:px-9 md:py-5">
        {menuPages.map(({ href, name, english }, index) => (
          <li
            key={href}
            className="border-veil-40 max-md:not-last:border-b md:[&:nth-last-child(n+3)]:border-b-2 md:[&:nth-child(odd)]:border-r-2"
          >
            <a
              href={href}
              className="flex min-h-19 items-center gap-4 py-3 colour-fade hover:text-lane-500 md:min-h-34 md:px-3"
            >
              <RoadArrow direction={DIRECTIONS[index % 4]} className="size-8 md:size-10" />
              <span className="min-w-0">
                <span className="block font-heavy text-sign leading-tight tracking-sign xl:text-[2rem]">
                  {name}
                </span>
                <span lang="en" className="sign-english block lg:text-control">
                  {english}
                </span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      <span aria-hidden className={`${POST_CLASSES} left-[14%]`} />
      <span aria-hidden className={`${POST_CLASSES} right-[14%]`} />
    </nav>
  );
}
