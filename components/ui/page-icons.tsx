/**
 * The icons of the pages: drawings of Lucide (https://lucide.dev, ISC license, © Lucide Icons and Contributors). Its React
 * package renders each of them by a client component, which would cost every page 3 KB of script.
 */
import { Drawing, type IconProps } from "#components/ui/line-icon.tsx";

const DISC = "M22 12a10 10 0 1 1-20 0a10 10 0 1 1 20 0";

const PHONE = [
  "M13.832 16.568a1 1 0 0 0 1.213-.303l.355-.465A2 2 0 0 1 17 15h3a2 2 0 0 1 2 2v3a2 2 0 0 1-2 2A18 18 0 0 1 2 4a2 2 0 0 1 2-2h3a2 2 0 0 1 2 2v3a2 2 0 0 1-.8 1.6l-.468.351a1 1 0 0 0-.292 1.233 14 14 0 0 0 6.392 6.384",
];
export function PhoneIcon(props: IconProps) {
  return <Drawing {...props} of={PHONE} />;
}

const TURN = ["M21 12a9 9 0 1 1-9-9c2.52 0 4.93 1 6.74 2.74L21 8", "M21 3v5h-5"];
export function TurnIcon(props: IconProps) {
  return <Drawing {...props} of={TURN} />;
}

const ARROW_RIGHT = ["M5 12h14", "m12 5 7 7-7 7"];
export function ArrowRightIcon(props: IconProps) {
  return <Drawing {...props} of={ARROW_RIGHT} />;
}

const CLOCK = [DISC, "M12 6v6l4 2"];
export function ClockIcon(props: IconProps) {
  return <Drawing {...props} of={CLOCK} />;
}

const MAP_PIN = [
  "M20 10c0 4.993-5.539 10.193-7.399 11.799a1 1 0 0 1-1.202 0C9.539 20.193 4 14.993 4 10a8 8 0 0 1 16 0",
  "M15 10a3 3 0 1 1-6 0a3 3 0 1 1 6 0",
];
export function MapPinIcon(props: IconProps) {
  return <Drawing {...props} of={MAP_PIN} />;
}

const ENLARGE = ["M15 3h6v6", "m21 3-7 7", "m3 21 7-7", "M9 21H3v-6"];
export function EnlargeIcon(props: IconProps) {
  return <Drawing {...props} of={ENLARGE} />;
}

const MENU = ["M4 5h16", "M4 12h16", "M4 19h16"];
export function MenuIcon(props: IconProps) {
  return <Drawing {...props} of={MENU} />;
}

const NEW_TAB = [
  "M15 3h6v6",
  "M10 14 21 3",
  "M18 13v6a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h6",
];
export function NewTabIcon(props: IconProps) {
  return <Drawing {...props} of={NEW_TAB} />;
}
