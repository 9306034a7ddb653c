import { MessageText } from "#components/application/message-text.tsx";
import { ReceiptRow } from "#components/application/receipt-row.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Copy } from "#components/ui/copy.tsx";
import { CheckIcon, MessageIcon } from "#components/ui/icons.tsx";
import type { Receipt } from "#lib/application/answer.ts";
import { formatApplicationId } from "#lib/application/application-id.ts";
import type { Application } from "#lib/application/fields.ts";
import { formatPhone } from "#lib/application/phone.ts";
import { seoulDateTime } from "#lib/application/seoul-time.ts";
import { applicationText, summarise } from "#lib/application/summary.ts";
import { received } from "#lib/content/application-result.ts";
import { fill } from "#lib/content/copy.ts";
import { FORM_RESULT_ID } from "#lib/content/form-result.ts";
import { smsHref } from "#lib/content/links.ts";

/** The receipt as a page of its own, for a browser without JavaScript. */
export function FormReceipt({
  receipt: { applicationId, submittedAt },
  application,
  phone,
  callback,
}: {
  receipt: Receipt;
  application: Application;
  phone: string;
  /** When the owner calls back, in the owner's words. */
  callback: string | undefined;
}) {
  return (
    <>
      <span
        aria-hidden
        className="grid size-14 place-items-center rounded-full bg-sign-700 text-white"
      >
        <CheckIcon className="size-7" />
      </span>
      {/* The address moves the focus here: without a ring, for there is nothing to press. */}
      <h1
        id={FORM_RESULT_ID}
        tabIndex={-1}
        className="mt-4 scroll-mt-28 text-asphalt-900 outline-none type-h1"
      >
        <Copy text={received.title} />
      </h1>
      <p className="mt-3 text-asphalt-600 type-lead">
        <Copy text={fill(received.text, { phone: formatPhone(application.phone) })} />
        {callback && <span className="block">{callback}</span>}
      </p>
      <dl className="mt-8 border-asphalt-900 border-t-2">
        <ReceiptRow label={received.number} value={formatApplicationId(applicationId)} />
        <ReceiptRow label={received.time} value={seoulDateTime(Date.parse(submittedAt))} />
        <ReceiptRow
          label={received.summary}
          value={<MessageText text={summarise(application)} />}
        />
      </dl>
      <p className="mt-7">
        <ButtonLink
          href={smsHref(phone, applicationText(application))}
          variant="outline"
          icon={MessageIcon}
        >
          {received.sms}
        </ButtonLink>
      </p>
    </>
  );
}
