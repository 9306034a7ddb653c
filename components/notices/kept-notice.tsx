"use client";

import { useState } from "react";
import { ApplicationText } from "#components/application/message-text.tsx";
import { UnsentApplication } from "#components/application/unsent-application.tsx";
import { InvalidFields, NoticeBox, NoticeTitle } from "#components/notices/notice-box.tsx";
import { Copy } from "#components/ui/copy.tsx";
import { summaryLine } from "#lib/application/summary.ts";
import { readDraft } from "#lib/browser/draft.ts";
import type { SubmittedApplication } from "#lib/browser/entry.ts";
import { hasErrors } from "#lib/browser/form-errors.ts";
import { outbox } from "#lib/browser/outbox.ts";
import { editLabel, keptCopy } from "#lib/content/application-result.ts";
import { keptNoticeCopy, whenSentText } from "#lib/content/kept-notice.ts";
import { editHref } from "#lib/content/links.ts";

export function KeptNotice({
  kept: { id, values, refusal },
  phone,
  onRemove,
}: {
  kept: SubmittedApplication;
  phone: string;
  onRemove: () => void;
}) {
  const [attempt, setAttempt] = useState<"sending" | "failed">();

  async function send(notices: HTMLElement | null) {
    // Screen readers announce only an attempt that the visitor starts, not those in the background.
    setAttempt("sending");
    await outbox.keepSending();
    setAttempt("failed");
    // If the focused button has disappeared with its notice, the focus moves to the remaining notices.
    if (!notices || document.activeElement !== document.body) return;
    notices.tabIndex = -1;
    notices.classList.add("outline-none");
    notices.focus({ preventScroll: true });
  }

  return (
    <NoticeBox state={refusal ? "refused" : "kept"}>
      {refusal ? (
        <>
          <NoticeTitle text={keptNoticeCopy.refused} />
          <Copy
            as="p"
            text={hasErrors(refusal.errors) ? keptNoticeCopy.correct : refusal.errorText}
          />
          <InvalidFields errors={refusal.errors} />
        </>
      ) : (
        <>
          <NoticeTitle
            text={attempt === "sending" ? keptNoticeCopy.sending : keptNoticeCopy.title}
          />
          {attempt === "failed" && <NoticeTitle text={keptNoticeCopy.notSent} />}
          <Copy as="p" className="type-small" text={whenSentText} />
        </>
      )}
      <ApplicationText text={summaryLine(values)} />
      <UnsentApplication
        values={values}
        phone={phone}
        smsWords={keptCopy.sms}
        smsClassName="notice-link gap-1.5"
        first={
          <>
            {!refusal && (
              <button
                type="button"
                aria-disabled={attempt === "sending"}
                onClick={({ currentTarget }) => void send(currentTarget.closest(".notices"))}
                className="notice-link"
              >
                {keptNoticeCopy.now}
              </button>
            )}
            <a
              href={editHref(id)}
              onClick={(event) => {
                const isTyping = typeof readDraft() === "object";
                if (isTyping && !confirm(keptNoticeCopy.editAsk)) event.preventDefault();
              }}
              className="notice-link"
            >
              {editLabel}
            </a>
          </>
        }
      >
        <button
          type="button"
          // Asks before it deletes, because a finger easily hits the wrong button.
          onClick={() => confirm(keptNoticeCopy.removeAsk) && onRemove()}
          className="notice-link"
        >
          {keptNoticeCopy.remove}
        </button>
      </UnsentApplication>
    </NoticeBox>
  );
}
