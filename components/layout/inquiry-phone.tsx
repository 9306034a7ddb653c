"use client";

import { createContext, type ReactNode, use } from "react";

const Context = createContext<string | undefined>(undefined);

/** Makes the configured number known to the error page, which Next renders without props of ours. */
export function InquiryPhone({ value, children }: { value: string; children: ReactNode }) {
  return <Context value={value}>{children}</Context>;
}

/** The inquiry number, or undefined outside the site's frame. */
export function useInquiryPhone(): string | undefined {
  return use(Context);
}
