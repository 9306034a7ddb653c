/** What all icons share: page-icons.tsx has those of the pages, form-icons.tsx those of forms and dialogs. */
import type { ComponentType } from "react";

export interface IconProps {
  "aria-hidden"?: boolean;
  className?: string;
  strokeWidth?: number;
}

/** Any of the icons. */
export type Icon = ComponentType<IconProps>;

/** The strokes of an icon on its 24 px square. */
export function Drawing({
  of: paths,
  strokeWidth = 2,
  ...rest
}: IconProps & { of: readonly string[] }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width="24"
      height="24"
      fill="none"
      stroke="currentColor"
      strokeWidth={strokeWidth}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      {...rest}
    >
      {paths.map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  );
}
