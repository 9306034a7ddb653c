"use client";

import { FailurePage } from "#components/layout/failure-page.tsx";
import "./globals.css";

/** The phone number in the page that failed: a browser cannot read the settings. */
function shownNumber(): string | undefined {
  if (typeof document === "undefined") return undefined;
  return document.querySelector("header a[href^='tel:']")?.lastElementChild?.textContent;
}

/** The page that replaces Next's English one when the layout itself cannot be rendered. */
export default function GlobalErrorPage() {
  return (
    <html lang="ko">
      <body>
        <FailurePage phone={shownNumber()} onAgain={() => location.reload()} />
      </body>
    </html>
  );
}
