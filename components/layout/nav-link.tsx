"use client";

import { usePathname } from "next/navigation";
import type { ComponentProps } from "react";

/** A link to a page of the site that knows whether the visitor is on that page. */
export function NavLink({ href, ...rest }: ComponentProps<"a"> & { href: string }) {
  const current = usePathname() === href;
  return <a {...rest} href={href} aria-current={current ? "page" : undefined} />;
}
