/**
 * The icons of forms, notices and dialogs: drawings of Lucide (https://lucide.dev, ISC license, © Lucide Icons and Contributors). Its React
 * package renders each of them by a client component, which would cost every page 3 KB of script.
 * Apart from those of the pages, so that a page without a form does not load them.
 */
import { Drawing, type IconProps } from "#components/ui/line-icon.tsx";

const DISC = "M22 12a10 10 0 1 1-20 0a10 10 0 1 1 20 0";

const CALENDAR = [
  "M8 2v3",
  "M16 2v3",
  "M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2",
  "M3 9h18",
];
export function CalendarIcon(props: IconProps) {
  return <Drawing {...props} of={CALENDAR} />;
}

const CHECK = ["M20 6 9 17l-5-5"];
export function CheckIcon(props: IconProps) {
  return <Drawing {...props} of={CHECK} />;
}

const CHEVRON_DOWN = ["m6 9 6 6 6-6"];
export function ChevronDownIcon(props: IconProps) {
  return <Drawing {...props} of={CHEVRON_DOWN} />;
}

const CHEVRON_LEFT = ["m15 18-6-6 6-6"];
export function ChevronLeftIcon(props: IconProps) {
  return <Drawing {...props} of={CHEVRON_LEFT} />;
}

const CHEVRON_RIGHT = ["m9 18 6-6-6-6"];
export function ChevronRightIcon(props: IconProps) {
  return <Drawing {...props} of={CHEVRON_RIGHT} />;
}

const CIRCLE_ALERT = [DISC, "M12 8v4", "M12 16h.01"];
export function CircleAlertIcon(props: IconProps) {
  return <Drawing {...props} of={CIRCLE_ALERT} />;
}

const COPY = [
  "M10 8h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H10a2 2 0 0 1-2-2V10a2 2 0 0 1 2-2",
  "M4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2",
];
export function CopyIcon(props: IconProps) {
  return <Drawing {...props} of={COPY} />;
}

const INFO = [DISC, "M12 16v-4", "M12 8h.01"];
export function InfoIcon(props: IconProps) {
  return <Drawing {...props} of={INFO} />;
}

const WIFI_OFF = [
  "M12 20h.01",
  "M8.5 16.429a5 5 0 0 1 7 0",
  "M5 12.859a10 10 0 0 1 5.17-2.69",
  "M19 12.859a10 10 0 0 0-2.007-1.523",
  "M2 8.82a15 15 0 0 1 4.177-2.643",
  "M22 8.82a15 15 0 0 0-11.288-3.764",
  "m2 2 20 20",
];
export function WifiOffIcon(props: IconProps) {
  return <Drawing {...props} of={WIFI_OFF} />;
}

const X = ["M18 6 6 18", "m6 6 12 12"];
export function XIcon(props: IconProps) {
  return <Drawing {...props} of={X} />;
}

const MESSAGE = [
  "M22 17a2 2 0 0 1-2 2H6.828a2 2 0 0 0-1.414.586l-2.202 2.202A.71.71 0 0 1 2 21.286V5a2 2 0 0 1 2-2h16a2 2 0 0 1 2 2z",
];
export function MessageIcon(props: IconProps) {
  return <Drawing {...props} of={MESSAGE} />;
}

const PENCIL = [
  "M13 21h8",
  "M21.174 6.812a1 1 0 0 0-3.986-3.987L3.842 16.174a2 2 0 0 0-.5.83l-1.321 4.352a.5.5 0 0 0 .623.622l4.353-1.32a2 2 0 0 0 .83-.497z",
];
export function PencilIcon(props: IconProps) {
  return <Drawing {...props} of={PENCIL} />;
}
