import type { ReactNode, Ref } from "react";
import { ButtonLink } from "#components/ui/button.tsx";
import { Copy } from "#components/ui/copy.tsx";
import { CheckIcon, MessageIcon, WifiOffIcon } from "#components/ui/icons.tsx";
import type { Receipt } from "#lib/application/answer.ts";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { formatPhone } from "#lib/application/phone.ts";
import { seoulDateTime } from "#lib/application/seoul-time.ts";
import { kept, received } from "#lib/content/application-result.ts";
import { fill } from "#lib/content/copy.ts";
import { smsHref } from "#lib/content/links.ts";

/** The look of a text message: line by line as it is sent, and so it is copied. */
export const TEXT_MESSAGE = "whitespace-pre-line font-strong tabular wrap-anywhere";

const LOOK = {
  received: { copy: received, Sign: CheckIcon, sign: "bg-sign-700 text-white", sms: "outline" },
  kept: { copy: kept, Sign: WifiOffIcon, sign: "bg-lane-500 text-asphalt-900", sms: "primary" },
} as const;

/** What is told of an application that the server has; `callback`: when the owner calls back, in the owner's words. */
export function toldOf(
  { applicationId, submittedAt }: Receipt,
  { phone }: { phone: string },
  callback: string | undefined,
) {
  const sentence = (
    <>
      <Copy text={fill(received.text, { phone: formatPhone(phone) })} />
      {callback && <span className="block">{callback}</span>}
    </>
  );
  const number = formatApplicationId(applicationId);
  return { kind: "received", sentence, number, at: Date.parse(submittedAt) } as const;
}

/** What an application has come to, in the panel on /contact and on the page for forms without script. */
export function Result({
  kind,
  heading: Heading,
  id,
  headingRef,
  sentence,
  children,
  number,
  at,
  text,
  textRef,
  phone,
  copyButton,
  smsFirst = false,
}: {
  kind: "received" | "kept";
  heading: "h1" | "h2";
  /** Of the heading: links and addresses lead to it. */
  id: string;
  headingRef?: Ref<HTMLHeadingElement>;
  sentence: ReactNode;
  /** Under the sentence. */
  children?: ReactNode;
  number: string;
  /** In milliseconds. */
  at: number;
  /** The application as a text message. */
  text: string;
  textRef?: Ref<HTMLParagraphElement>;
  /** The number of the business. */
  phone: string;
  copyButton?: ReactNode;
  /** What was kept asks for the text message before it tells its number. */
  smsFirst?: boolean;
}) {
  const { copy, Sign, sign, sms } = LOOK[kind];
  const rows = (
    <dl className="border-asphalt-900 border-t-2">
      {[
        [copy.number, number],
        [copy.time, seoulDateTime(at)],
      ].map(([label, value]) => (
        <div key={label} className="flex flex-wrap gap-x-4 border-asphalt-300 border-b py-3.5">
          <dt className="min-w-20 text-asphalt-600 sm:w-40">{label}</dt>
          <dd className="min-w-0 font-strong text-asphalt-900 tabular wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
  const actions = (
    <div className="flex flex-col gap-2.5 sm:flex-row sm:flex-wrap sm:items-center">
      <ButtonLink href={smsHref(phone, text)} variant={sms} icon={MessageIcon}>
        {copy.sms}
      </ButtonLink>
      {copyButton}
    </div>
  );
  return (
    <>
      <span
        aria-hidden
        className={`[@media(max-height:30rem)]:hidden grid size-14 place-items-center rounded-full ${sign}`}
      >
        <Sign className="size-7" />
      </span>
      <div aria-live="polite">
        <Heading
          ref={headingRef}
          id={id}
          // What leads here moves the focus: without a ring, for there is nothing to press.
          tabIndex={-1}
          className="type-form mt-4 scroll-mt-28 text-asphalt-900 outline-none md:text-[2rem]"
        >
          <Copy text={copy.title} />
        </Heading>
        <p className="mt-2 text-asphalt-600 type-body">{sentence}</p>
      </div>
      {children}
      <div className="mt-6 flex flex-col gap-6">
        {smsFirst ? actions : rows}
        <div className="rounded-l bg-asphalt-100 px-5 py-4">
          <p className="font-strong text-small text-asphalt-600">{copy.summary}</p>
          <p ref={textRef} className={`mt-1 text-asphalt-900 ${TEXT_MESSAGE}`}>
            {text}
          </p>
        </div>
        {smsFirst ? rows : actions}
      </div>
    </>
  );
}
