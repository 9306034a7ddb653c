"use client";

import { type ReactNode, useId } from "react";
import { ApplicationText } from "#components/application/application-text.tsx";
import { NoticeBoxDetails } from "#components/notice-boxes/notice-box.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { MessageIcon } from "#components/ui/icons.tsx";
import { PageText } from "#components/ui/page-text.tsx";
import { composeApplicationTextMessage, fitIntoLink } from "#lib/application/summary.ts";
import { copyContentLabels, submissionFailureTexts } from "#lib/content/application-result.ts";
import { smsHref, telHref } from "#lib/content/links.ts";
import { fillPlaceholders } from "#lib/content/text-notation.ts";

/**
 * What the visitor can do with an application that has not arrived, in the panel, in an open form and in a notice box:
 * send it as a text message, call, and the actions in `children`.
 */
export function UnsentApplication({
  values,
  phone,
  smsWords,
  smsClassName,
  isOpen = false,
  first,
  children,
}: {
  values: Parameters<typeof composeApplicationTextMessage>[0];
  phone: string;
  /** The words of the link that sends the text message. */
  smsWords: string;
  smsClassName: string;
  /** True if the text message is in view from the start. */
  isOpen?: boolean;
  /** Stands before the link to the text message. */
  first?: ReactNode;
  children?: ReactNode;
}) {
  const text = composeApplicationTextMessage(values);
  const id = useId();
  return (
    <div className="-mb-2.5 flex flex-wrap items-center gap-x-5">
      {first}
      <a href={smsHref(phone, fitIntoLink(text))} className={smsClassName}>
        <MessageIcon className="size-5" />
        <span>{smsWords}</span>
      </a>
      {children}
      {/* When open, the details start on a new line. */}
      <NoticeBoxDetails open={isOpen} className="type-small open:basis-full">
        {/* Some in-app browsers open no `sms:` link, so the visitor can copy the text. */}
        <PageText as="p" text={fillPlaceholders(submissionFailureTexts.byHand, { phone })} />
        <ApplicationText id={id} text={text} className="my-2 font-strong" />
        <div className="mb-2.5 flex flex-wrap items-center gap-x-3 gap-y-1">
          <CopyButton text={text} textElementId={id} labels={copyContentLabels} />
          <ApplyByCallLink phone={phone} />
        </div>
      </NoticeBoxDetails>
    </div>
  );
}

export function ApplyByCallLink({ phone }: { phone: string }) {
  return (
    <a href={telHref(phone)} className="action-link">
      {submissionFailureTexts.call}
    </a>
  );
}
