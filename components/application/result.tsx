import { type ReactNode, useId } from "react";
import { ApplicationText } from "#components/application/application-text.tsx";
import { UnsentApplication } from "#components/application/unsent-application.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { CheckIcon, MessageIcon, WifiOffIcon } from "#components/ui/icons.tsx";
import { PageText } from "#components/ui/page-text.tsx";
import { formatApplicationId, temporaryNumber } from "#lib/application/application-id.ts";
import { formatPhone } from "#lib/application/phone.ts";
import type { Receipt } from "#lib/application/response-body.ts";
import { koreanDateTime } from "#lib/application/seoul-time.ts";
import { composeApplicationTextMessage, fitIntoLink } from "#lib/application/summary.ts";
import {
  copyContentLabels,
  editLabel,
  keptApplicationTexts,
  receiptTexts,
} from "#lib/content/application-result.ts";
import { smsHref } from "#lib/content/links.ts";
import { fillPlaceholders } from "#lib/content/text-notation.ts";

export interface BusinessContact {
  phone: string;
  callbackPromise: string | undefined;
}

const STYLES = {
  received: { texts: receiptTexts, Sign: CheckIcon, sign: "bg-sign-700 text-white" },
  kept: { texts: keptApplicationTexts, Sign: WifiOffIcon, sign: "bg-lane-500 text-asphalt-900" },
} as const;

/** The result in the panel on /contact, and on the page for forms that were sent without JavaScript. */
export function ApplicationResult({
  heading: Heading,
  id,
  outcome,
  onEdit,
  values,
  phone,
  callbackPromise,
  children,
}: BusinessContact & {
  heading: "h1" | "h2";
  id: string;
  /** The server's receipt, or the time since which this device keeps the application. */
  outcome: Receipt | { keptAt: number; sentence: string };
  /** Takes a kept application back into the form. */
  onEdit?: () => void;
  values: Parameters<typeof composeApplicationTextMessage>[0] & { phone?: string };
  children?: ReactNode;
}) {
  const textId = useId();
  const text = composeApplicationTextMessage(values);
  const isKept = "keptAt" in outcome;
  const { texts, Sign, sign } = STYLES[isKept ? "kept" : "received"];
  const sentence = isKept
    ? outcome.sentence
    : fillPlaceholders(receiptTexts.text, { phone: formatPhone(values.phone ?? "") });

  const facts = (
    <dl className="receipt border-asphalt-900 border-t-2">
      {[
        [
          texts.number,
          isKept ? temporaryNumber(outcome.keptAt) : formatApplicationId(outcome.applicationId),
        ],
        [texts.time, koreanDateTime(isKept ? outcome.keptAt : Date.parse(outcome.submittedAt))],
      ].map(([label, value]) => (
        <div key={label} className="flex flex-wrap gap-x-4 border-asphalt-300 border-b py-3.5">
          <dt className="min-w-20 text-asphalt-600 sm:w-40">{label}</dt>
          <dd className="min-w-0 font-strong text-asphalt-900 tabular wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
  return (
    <>
      <span aria-hidden className={`result-sign ${sign}`}>
        <Sign className="size-7" />
      </span>
      <div aria-live="polite">
        <Heading
          id={id}
          // A link can move the focus to the heading. The heading shows no focus ring: nobody can press a heading.
          tabIndex={-1}
          className="result-title"
        >
          <PageText text={texts.title} />
        </Heading>
        <p className="mt-2 text-asphalt-600 type-body">
          <PageText text={sentence} />
          {!isKept && callbackPromise && <span className="block">{callbackPromise}</span>}
        </p>
      </div>
      {children}
      <div className="mt-6 flex flex-col gap-6">
        {isKept ? (
          <>
            <UnsentApplication
              values={values}
              phone={phone}
              smsWords={keptApplicationTexts.sms}
              smsClassName="button button-md button-primary w-full sm:w-auto"
              isOpen
            >
              <button type="button" onClick={onEdit} className="action-link">
                {editLabel}
              </button>
            </UnsentApplication>
            {facts}
          </>
        ) : (
          <>
            {facts}
            <div className="result-summary">
              <p>{receiptTexts.summary}</p>
              <ApplicationText id={textId} text={text} />
            </div>
            <div className="result-actions">
              <ButtonLink
                href={smsHref(phone, fitIntoLink(text))}
                variant="outline"
                icon={MessageIcon}
              >
                {receiptTexts.sms}
              </ButtonLink>
              <CopyButton text={text} textElementId={textId} labels={copyContentLabels} />
            </div>
          </>
        )}
      </div>
    </>
  );
}
