import type { Metadata } from "next";
import type { ReactNode } from "react";
import { pretendard } from "#app/fonts/pretendard.ts";
import { business } from "#lib/content/business.ts";
import "./globals.css";

export const metadata: Metadata = { title: business.brand };

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="ko" className={pretendard.variable}>
      <body>{children}</body>
    </html>
  );
}
