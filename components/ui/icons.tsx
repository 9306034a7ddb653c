/**
 * Drawings of Lucide (https://lucide.dev, ISC license, © Lucide Icons and Contributors), each as one path. Lucide's
 * React package would add 3 KB of script to every page.
 */
import type { ComponentProps, ComponentType } from "react";

export type Icon = ComponentType<{ className?: string }>;

/** The path is on a square of 24 px; `.icon` of app/components.css draws the strokes. */
const draw = (d: string, { className = "" }: ComponentProps<Icon>) => (
  <svg viewBox="0 0 24 24" aria-hidden className={`icon ${className}`}>
    <path d={d} />
  </svg>
);

const DISC = "M22 12a10 10 0 1 1-20 0a10 10 0 1 1 20 0";

export const ArrowRightIcon: Icon = (props) => draw("M5 12h14M12 5l7 7-7 7", props);
export const CalendarIcon: Icon = (props) =>
  draw(
    "M8 2v3M16 2v3M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2M3 9h18",
    props,
  );
export const CheckIcon: Icon = (props) => draw("M20 6 9 17l-5-5", props);
export const ChevronDownIcon: Icon = (props) => draw("M6 9l6 6 6-6", props);
export const ChevronLeftIcon: Icon = (props) => draw("M15 18l-6-6 6-6", props);
export const ChevronRightIcon: Icon = (props) => draw("M9 18l6-6-6-6", props);
export const CircleAlertIcon: Icon = (props) => draw(`${DISC}M12 8v4M12 16h.01`, props);
export const ClockIcon: Icon = (props) => draw(`${DISC}M12 6v6l4 2`, props);
export const CopyIcon: Icon = (props) =>
  draw(
    "M10 8h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H10a2 2 0 0 1-2-2V10a2 2 0 0 1 2-2M4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2",
    props,
  );
export const EnlargeIcon: Icon = (props) => draw("M15 3h6v6M21 3l-7 7M3 21l7-7M9 21H3v-6", props);
export const MapPinIcon: Icon = (props) =>
  draw(
    "M20 10c0 4.993-5.539 10.193-7.399 11.799a1 1 0 0 1-1.202 0C9.539 20.193 4 14.993 4 10a8 8 0 0 1 16 0M15 10a3 3 0 1 1-6 0a3 3 0 1 1 6 0",
    props,
  );
export const MenuIcon: Icon = (props) => draw("M4 5h16M4 12h16M4 19h16", props);
export const MessageIcon: Icon = (props) =>
  draw(
    "M22 17a2 2 0 0 1-2 2H6.828a2 2 0 0 0-1.414.586l-2.202 2.202A.71.71 0 0 1 2 21.286V5a2 2 0 0 1 2-2h16a2 2 0 0 1 2 2z",
    props,
  );
export const NewTabIcon: Icon = (props) =>
  draw("M15 3h6v6M10 14 21 3M18 13v6a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h6", props);
export const PencilIcon: Icon = (props) =>
  draw(
    "M13 21h8M21.174 6.812a1 1 0 0 0-3.986-3.987L3.842 16.174a2 2 0 0 0-.5.83l-1.321 4.352a.5.5 0 0 0 .623.622l4.353-1.32a2 2 0 0 0 .83-.497z",
    props,
  );
export const PhoneIcon: Icon = (props) =>
  draw(
    "M13.832 16.568a1 1 0 0 0 1.213-.303l.355-.465A2 2 0 0 1 17 15h3a2 2 0 0 1 2 2v3a2 2 0 0 1-2 2A18 18 0 0 1 2 4a2 2 0 0 1 2-2h3a2 2 0 0 1 2 2v3a2 2 0 0 1-.8 1.6l-.468.351a1 1 0 0 0-.292 1.233 14 14 0 0 0 6.392 6.384",
    props,
  );
export const PlusIcon: Icon = (props) => draw("M5 12h14M12 5v14", props);
export const ReloadIcon: Icon = (props) =>
  draw("M21 12a9 9 0 1 1-9-9c2.52 0 4.93 1 6.74 2.74L21 8M21 3v5h-5", props);
export const WifiOffIcon: Icon = (props) =>
  draw(
    "M12 20h.01M8.5 16.429a5 5 0 0 1 7 0M5 12.859a10 10 0 0 1 5.17-2.69M19 12.859a10 10 0 0 0-2.007-1.523M2 8.82a15 15 0 0 1 4.177-2.643M22 8.82a15 15 0 0 0-11.288-3.764M2 2l20 20",
    props,
  );
export const XIcon: Icon = (props) => draw("M18 6 6 18M6 6l12 12", props);
