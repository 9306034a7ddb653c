"use client";

import { FailurePage } from "#components/layout/failure-page.tsx";
import "./globals.css";

/** A browser cannot read the settings, but the page that failed still shows the telephone number. */
function findShownPhone(): string | undefined {
  if (typeof document === "undefined") return undefined;
  return document.querySelector("header a[href^='tel:']")?.lastElementChild?.textContent;
}

/** Replaces Next's English page when the layout itself cannot be rendered. */
export default function GlobalErrorPage() {
  return (
    <html lang="ko">
      <body>
        <FailurePage phone={findShownPhone()} onAgain={() => location.reload()} />
      </body>
    </html>
  );
}
