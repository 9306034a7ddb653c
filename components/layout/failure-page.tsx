"use client";

import { unstable_rethrow } from "next/navigation";
import { Component, type ReactNode, useEffect } from "react";
import { ErrorLayout } from "#components/layout/error-layout.tsx";
import { Button, CallButton } from "#components/ui/button.tsx";
import { CopyNumberButton } from "#components/ui/copy-button.tsx";
import { TurnIcon } from "#components/ui/icons.tsx";
import { failurePageCopy } from "#lib/content/not-found.ts";

interface FailureOptions {
  phone: string | undefined;
  /** The direction sign, rendered on the server. */
  sign?: ReactNode;
}

/**
 * Shows the failure page in place of a page that fails. Next's own `error.tsx` would be a script file of its own,
 * and a page that cannot load that file would fail again.
 */
export class FailureBoundary extends Component<FailureOptions & { children: ReactNode }> {
  override state = { failed: false };

  static getDerivedStateFromError(error: unknown) {
    // Next throws for redirects and missing pages too, which are no failures.
    unstable_rethrow(error);
    return { failed: true };
  }

  override render() {
    const { children, ...options } = this.props;
    if (!this.state.failed) return children;
    return <FailurePage {...options} onAgain={() => this.setState({ failed: false })} />;
  }
}

/** The page that replaces a failed page: try again, call, or follow the sign. Its heading takes the focus. */
export function FailurePage({ phone, sign, onAgain }: FailureOptions & { onAgain: () => void }) {
  useEffect(() => {
    const abort = new AbortController();
    // The visitor may have scrolled down; this page is shorter.
    const showHeading = () => {
      scrollTo({ top: 0, behavior: "instant" });
      document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
    };
    showHeading();
    // The browser scrolls to the fragment's old position after this event.
    addEventListener("popstate", () => requestAnimationFrame(showHeading), {
      signal: abort.signal,
    });
    return () => abort.abort();
  }, []);
  return (
    <ErrorLayout
      title={failurePageCopy.title}
      lead={failurePageCopy.lead}
      actions={
        <>
          <Button onClick={onAgain} size="lg" icon={TurnIcon}>
            {failurePageCopy.again}
          </Button>
          {phone && (
            <>
              <CallButton phone={phone} variant="outline" />
              <CopyNumberButton phone={phone} />
            </>
          )}
        </>
      }
    >
      {sign}
    </ErrorLayout>
  );
}
