import { business } from "#lib/content/business.ts";

/** The paths of public/art/logo.svg, repeated here to save a request. */
const RIM =
  "M3 32a29 29 0 1 0 58 0 29 29 0 1 0-58 0m7.5 0a21.5 21.5 0 1 1 43 0 21.5 21.5 0 1 1-43 0";
const SPOKES =
  "M8 28.5c7.5-2.7 15.5-4 24-4s16.5 1.3 24 4v7c-5-1.9-9.5-3.1-14.5-3.8l7 20.8C44 56 38.5 58 32 58s-12-2-16.5-5.5l7-20.8c-5 .7-9.5 1.9-14.5 3.8Zm22.8 3h2.4l.35 5.5h-3.1Zm-.6 9.5h3.6l.4 6h-4.4Zm-.7 10h5l.3 3.2a22 22 0 0 1-5.6 0Z";

export function Brand() {
  return (
    <span className="brand">
      <svg
        aria-hidden
        viewBox="0 0 64 64"
        fill="currentColor"
        fillRule="evenodd"
        className="brand-wheel"
      >
        <path d={RIM} />
        <path d={SPOKES} />
      </svg>
      <span className="brand-name">{business.name}</span>
    </span>
  );
}
