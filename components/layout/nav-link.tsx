"use client";

import { usePathname } from "next/navigation";
import type { ComponentProps } from "react";

/** A link to a page of the site that knows whether the visitor is on that page, `path`. */
export function NavLink({ path, ...rest }: ComponentProps<"a"> & { path: string }) {
  return <a {...rest} aria-current={usePathname() === path ? "page" : undefined} />;
}
