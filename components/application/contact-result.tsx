"use client";

import { ContactFailure } from "#components/application/contact-failure.tsx";
import { FormNotice } from "#components/application/form-notice.tsx";
import { ResultPanel } from "#components/application/result-panel.tsx";

/** What shows the result of a press on /contact: one piece of code, loaded when the page is idle. */
export const contactResult = { Panel: ResultPanel, Notice: FormNotice, Failure: ContactFailure };

export type ContactResult = typeof contactResult;
