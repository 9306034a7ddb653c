"use client";

import { FailurePage } from "#components/layout/failure-page.tsx";
import "./globals.css";

/** The number that the page showed before it failed; this page is made without settings. */
function shownNumber(): string | undefined {
  if (typeof document === "undefined") return undefined;
  return document.querySelector("header a[href^='tel:']")?.lastElementChild?.textContent;
}

/** The page that Next shows when not even the layout renders. Next's own page is English, and larger. */
export default function GlobalErrorPage() {
  return (
    <html lang="ko">
      <body>
        <FailurePage phone={shownNumber()} onAgain={() => location.reload()} />
      </body>
    </html>
  );
}
