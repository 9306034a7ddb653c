"use client";

import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { ApplicationForm } from "#components/application/application-form.tsx";
import { type Place, ResultPanel } from "#components/application/result.tsx";
import { useNotices } from "#components/notices/notices-slot.tsx";
import { steadyScroll } from "#components/notices/steady-scroll.ts";
import { correctionIn } from "#components/notices/use-stored.ts";
import type { Submitted } from "#lib/browser/form-record.ts";
import type { Refused } from "#lib/browser/record.ts";
import { find, hideHere, refresh, showHere } from "#lib/browser/store.ts";
import { applicationForm } from "#lib/content/application-form.ts";
import { FORM_ID } from "#lib/content/links.ts";

const BUSY_MS = 500;

/** The contact page's form and, in its place for a while, what became of the application. */
export function ContactApplication(place: Place) {
  const [ended, setEnded] = useState<Submitted & { id: string }>();
  const [correction, setCorrection] = useCorrection();
  const notices = useRef<HTMLDivElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const Notices = useNotices();

  const focus = (place: HTMLElement | null) => place?.focus({ preventScroll: true });

  if (ended)
    return (
      <ResultPanel
        {...place}
        {...ended}
        onDone={(byHand, hadFocus) => {
          // Its notice is there when the form is: nothing is announced that the panel has told.
          hideHere(ended.id);
          flushSync(() => setEnded(undefined));
          // A focus in the panel moves on to what replaces it, so that this is read out; any other focus stays. The
          // form of a correction takes it itself.
          if (hadFocus && !correction) focus(byHand ? title.current : notices.current);
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
      <ApplicationForm
        {...place}
        key={correction?.id}
        form="contact"
        correction={correction}
        onSettled={({ record }, submitted) => {
          if (submitted && record) setEnded({ ...submitted, id: record.id });
          setCorrection(undefined);
        }}
      />
    </div>
  );
}

/** The refused application that the address names, until it is corrected. */
function useCorrection() {
  const [correction, setCorrection] = useState<Refused>();

  useEffect(() => {
    async function look() {
      const id = correctionIn(location.hash);
      if (id === undefined) return;
      await refresh();
      if (document.querySelector("form[aria-busy=true]")) {
        // Another one is on its way: the address waits for its answer.
        setTimeout(look, BUSY_MS);
        return;
      }
      const found = find(id);
      // Removed from the address, so that the next press on the link changes it again.
      history.replaceState(history.state, "", location.pathname);
      if (found?.state !== "refused") return;
      // First its notice goes: the page must not move once the focus is in the form.
      showHere(id);
      setCorrection(found);
    }
    void look();
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, []);

  return [correction, setCorrection] as const;
}
