"use client";

import { FailurePage } from "#components/layout/failure-page.tsx";

/** What Next shows when a page could not be made. */
export default function ErrorPage({ reset }: { reset: () => void }) {
  return <FailurePage onAgain={reset} />;
}
