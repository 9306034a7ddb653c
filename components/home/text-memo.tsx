import { MessageText } from "#components/application/message-text.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { MessageIcon } from "#components/ui/icons.tsx";
import { koreanDay, saturdayToCome } from "#lib/application/seoul-time.ts";
import { applicationText } from "#lib/application/summary.ts";
import { blankApplication } from "#lib/content/business.ts";
import { fill } from "#lib/content/copy.ts";
import { exampleApplication, method } from "#lib/content/home.ts";
import { smsHref } from "#lib/content/links.ts";

/** What to text in, with an example of each, and the message they make. */
export function TextMemo({ phone }: { phone: string }) {
  const preferredDate = saturdayToCome(Date.now());
  const date = koreanDay(preferredDate);
  return (
    <div className="rounded-xl border border-asphalt-300 bg-paper p-6 md:p-9 lg:px-10">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-asphalt-900 border-b-2 pb-3">
        <h3 className="font-bold text-lg text-asphalt-900 leading-normal tracking-title">
          {method.memo}
        </h3>
        <span className="type-small text-asphalt-600">{method.example}</span>
      </div>
      <dl className="text-base leading-normal lg:text-control">
        {method.items.map(({ label, value }) => (
          <div
            key={label}
            className="flex flex-wrap gap-x-4 border-asphalt-300 border-b py-3 lg:py-[0.78rem]"
          >
            <dt className="w-[5.25rem] font-bold text-asphalt-900 lg:w-[6.75rem]">{label}</dt>
            <dd className="tabular text-asphalt-600">{fill(value, { date })}</dd>
          </div>
        ))}
      </dl>
      <p className="type-body tabular mt-5 ml-auto w-fit max-w-full rounded-xl rounded-br-none bg-sign-700 px-4.5 py-3 font-medium text-white leading-[1.6]">
        <MessageText text={applicationText({ ...exampleApplication, preferredDate })} />
      </p>
      <ButtonLink
        href={smsHref(phone, blankApplication)}
        variant="outline"
        icon={MessageIcon}
        className="mt-5 w-full"
      >
        {method.sms}
      </ButtonLink>
    </div>
  );
}
