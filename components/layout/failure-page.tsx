"use client";

import { unstable_rethrow } from "next/navigation";
import { Component, type ReactNode, useEffect } from "react";
import { ErrorLayout } from "#components/layout/error-layout.tsx";
import { Button, CallButton } from "#components/ui/button.tsx";
import { CopyPhoneButton } from "#components/ui/copy-button.tsx";
import { ReloadIcon } from "#components/ui/icons.tsx";
import { failurePageTexts } from "#lib/content/error-pages.ts";

interface FailureOptions {
  phone: string | undefined;
  /** The direction sign, rendered on the server so that its code is not sent to the browser. */
  sign?: ReactNode;
}

/** Replaces Next's `error.tsx`, which would be a separate script that a broken connection could not load. */
export class FailureBoundary extends Component<FailureOptions & { children: ReactNode }> {
  override state = { failed: false };

  static getDerivedStateFromError(error: unknown) {
    // Next also throws for redirects and missing pages, which are no failures.
    unstable_rethrow(error);
    return { failed: true };
  }

  override render() {
    const { children, ...options } = this.props;
    if (!this.state.failed) return children;
    return <FailurePage {...options} onAgain={() => this.setState({ failed: false })} />;
  }
}

export function FailurePage({ phone, sign, onAgain }: FailureOptions & { onAgain: () => void }) {
  useEffect(() => {
    // The visitor may have scrolled down in the page that failed.
    const showHeading = () => {
      scrollTo({ top: 0, behavior: "instant" });
      document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
    };
    showHeading();
    // The browser restores the old scroll position after this event.
    const onPopState = () => requestAnimationFrame(showHeading);
    addEventListener("popstate", onPopState);
    return () => removeEventListener("popstate", onPopState);
  }, []);
  return (
    <ErrorLayout
      title={failurePageTexts.title}
      lead={failurePageTexts.lead}
      actions={
        <>
          <Button onClick={onAgain} size="lg" icon={ReloadIcon}>
            {failurePageTexts.again}
          </Button>
          {phone && (
            <>
              <CallButton phone={phone} variant="outline" />
              <CopyPhoneButton phone={phone} />
            </>
          )}
        </>
      }
    >
      {sign}
    </ErrorLayout>
  );
}
