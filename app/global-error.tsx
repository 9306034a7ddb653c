"use client";

import { FailurePage } from "#components/layout/failure-page.tsx";
import "./globals.css";

/** What Next shows when not even the layout could be made; its own page is English, and larger. */
export default function GlobalErrorPage() {
  return (
    <html lang="ko">
      <body>
        <FailurePage onAgain={() => location.reload()} />
      </body>
    </html>
  );
}
