"use client";

import { useRef } from "react";
import { flushSync } from "react-dom";
import { ApplicationForm } from "#components/application/application-form.tsx";
import { type Place, ResultPanel } from "#components/application/result.tsx";
import { useFormRecord } from "#components/application/use-form-record.ts";
import { useNotices } from "#components/notices/notices-slot.tsx";
import { steadyScroll } from "#components/notices/steady-scroll.ts";
import { applicationForm } from "#lib/content/application-form.ts";
import { FORM_ID } from "#lib/content/links.ts";

/** The contact page's form and, in its place for a while, what became of the application. */
export function ContactApplication(place: Place) {
  const { record, told, forget } = useFormRecord("contact", true);
  const notices = useRef<HTMLDivElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const Notices = useNotices();

  if (told)
    return (
      <ResultPanel
        {...place}
        record={told}
        onDone={(byHand, hadFocus) => {
          flushSync(forget);
          // A focus in the panel moves on to what replaces it, so that this is read out; any other focus stays.
          if (hadFocus) (byHand ? title : notices).current?.focus({ preventScroll: true });
        }}
      />
    );
  return (
    <div>
      <div ref={notices} tabIndex={-1} className="outline-none">
        <div ref={steadyScroll} className="notices has-[p]:pb-7">
          {Notices && <Notices {...place} atOnce />}
        </div>
      </div>
      <div className="mb-8 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2
          ref={title}
          id={FORM_ID}
          tabIndex={-1}
          className="type-form text-asphalt-900 outline-none"
        >
          {applicationForm.title}
        </h2>
        <p className="text-asphalt-600 type-helper">{applicationForm.note.contact}</p>
      </div>
      <ApplicationForm {...place} key={record.name} record={record} />
    </div>
  );
}
