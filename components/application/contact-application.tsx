"use client";

import { type ReactNode, useRef } from "react";
import { flushSync } from "react-dom";
import { ApplicationForm } from "#components/application/application-form.tsx";
import type { BusinessContact } from "#components/application/result.tsx";
import { ResultPanel } from "#components/application/result-panel.tsx";
import { useFormSubmission } from "#components/application/use-form-submission.ts";
import {
  keepScrollSteady,
  useNoticeBoxesComponent,
} from "#components/notice-boxes/notice-box-area.tsx";
import { Button } from "#components/ui/button.tsx";
import { applicationFormTexts } from "#lib/content/application-form.ts";
import { submissionFailureTexts } from "#lib/content/application-result.ts";
import { FORM_ID } from "#lib/content/links.ts";

export function ContactApplication({
  submitNotes,
  nextSteps,
  ...contact
}: BusinessContact & { submitNotes: ReactNode; nextSteps: ReactNode }) {
  const { submission, state } = useFormSubmission("contact");
  const noticeBoxes = useRef<HTMLDivElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const NoticeBoxes = useNoticeBoxesComponent();

  if (state.status === "kept" || state.status === "received")
    return (
      <ResultPanel
        {...contact}
        nextSteps={nextSteps}
        state={state}
        onDone={({ by, hadFocus }) => {
          flushSync(submission.reset);
          // The focus moves from the panel to the form or its notice boxes, where a screen reader continues.
          if (hadFocus)
            (by === "visitor" ? title : noticeBoxes).current?.focus({ preventScroll: true });
        }}
        onEdit={async () => {
          await submission.takeBack();
          title.current?.focus();
        }}
      />
    );
  const isBusy = state.status === "sending";
  return (
    <div>
      <div className="mb-6 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2
          ref={title}
          id={FORM_ID}
          tabIndex={-1}
          className="type-form text-asphalt-900 outline-none"
        >
          {applicationFormTexts.title}
        </h2>
        <p className="text-asphalt-600 type-helper">{applicationFormTexts.note.contact}</p>
      </div>
      <div ref={noticeBoxes} tabIndex={-1} className="outline-none">
        <div ref={keepScrollSteady} className="notice-boxes has-[p]:pb-6">
          {NoticeBoxes && <NoticeBoxes {...contact} atOnce />}
        </div>
      </div>
      <ApplicationForm
        key={state.round}
        {...{ submission, state, submitNotes }}
        failureTexts={submissionFailureTexts}
        phone={contact.phone}
        className="grid grid-cols-1 gap-5"
        bodyClassName="contents"
      >
        <Button type="submit" size="lg" busy={isBusy} className="w-full">
          {isBusy ? applicationFormTexts.busy : applicationFormTexts.submit}
        </Button>
      </ApplicationForm>
    </div>
  );
}
