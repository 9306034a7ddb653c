"use client";

import { useState } from "react";
import { ApplicationText } from "#components/application/application-text.tsx";
import { UnsentApplication } from "#components/application/unsent-application.tsx";
import { InvalidFields, NoticeBox, NoticeBoxTitle } from "#components/notice-boxes/notice-box.tsx";
import { PageText } from "#components/ui/page-text.tsx";
import { summaryLine } from "#lib/application/summary.ts";
import { readDraft } from "#lib/browser/draft.ts";
import type { SubmittedApplication } from "#lib/browser/entry.ts";
import { hasErrors } from "#lib/browser/form-errors.ts";
import { outbox } from "#lib/browser/outbox.ts";
import { editLabel, keptApplicationTexts } from "#lib/content/application-result.ts";
import { keptBoxTexts, willRetryText } from "#lib/content/kept-box.ts";
import { editHref } from "#lib/content/links.ts";

export function KeptBox({
  kept: { id, values, refusal },
  phone,
  onRemove,
}: {
  kept: SubmittedApplication;
  phone: string;
  onRemove: () => void;
}) {
  const [attempt, setAttempt] = useState<"sending" | "failed">();

  async function send(noticeBoxes: HTMLElement | null) {
    // Screen readers announce only an attempt that the visitor starts, not those in the background.
    setAttempt("sending");
    await outbox.keepSending();
    setAttempt("failed");
    // If the focused button has disappeared with its notice box, the focus moves to the remaining boxes.
    if (!noticeBoxes || document.activeElement !== document.body) return;
    noticeBoxes.tabIndex = -1;
    noticeBoxes.classList.add("outline-none");
    noticeBoxes.focus({ preventScroll: true });
  }

  return (
    <NoticeBox state={refusal ? "refused" : "kept"}>
      {refusal ? (
        <>
          <NoticeBoxTitle text={keptBoxTexts.refused} />
          <PageText
            as="p"
            text={hasErrors(refusal.errors) ? keptBoxTexts.correct : refusal.errorText}
          />
          <InvalidFields errors={refusal.errors} />
        </>
      ) : (
        <>
          <NoticeBoxTitle
            text={attempt === "sending" ? keptBoxTexts.sending : keptBoxTexts.title}
          />
          {attempt === "failed" && <NoticeBoxTitle text={keptBoxTexts.notSent} />}
          <PageText as="p" className="type-small" text={willRetryText} />
        </>
      )}
      <ApplicationText text={summaryLine(values)} />
      <UnsentApplication
        values={values}
        phone={phone}
        smsWords={keptApplicationTexts.sms}
        smsClassName="action-link gap-1.5"
        first={
          <>
            {!refusal && (
              <button
                type="button"
                aria-disabled={attempt === "sending"}
                onClick={({ currentTarget }) => void send(currentTarget.closest(".notice-boxes"))}
                className="action-link"
              >
                {keptBoxTexts.now}
              </button>
            )}
            <a
              href={editHref(id)}
              onClick={(event) => {
                const hasDraft = typeof readDraft() === "object";
                if (hasDraft && !confirm(keptBoxTexts.editAsk)) event.preventDefault();
              }}
              // A long press in Safari would preview the page, which takes the application back.
              className="action-link [-webkit-touch-callout:none]"
            >
              {editLabel}
            </a>
          </>
        }
      >
        <button
          type="button"
          // Asks before it deletes, because a finger easily hits the wrong button.
          onClick={() => confirm(keptBoxTexts.removeAsk) && onRemove()}
          className="action-link"
        >
          {keptBoxTexts.remove}
        </button>
      </UnsentApplication>
    </NoticeBox>
  );
}
