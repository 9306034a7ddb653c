import { ButtonLink } from "#components/ui/button.tsx";
import { MessageIcon } from "#components/ui/icons.tsx";
import { koreanDay, saturdayToCome } from "#lib/application/seoul-time.ts";
import { exampleApplication, method } from "#lib/content/home.ts";
import { smsHref } from "#lib/content/links.ts";
import { blankApplication, textApplication } from "#lib/content/text-application.ts";

/** The message that the button under it writes, with an example of each item. */
export function TextMemo({ phone }: { phone: string }) {
  const preferredDate = koreanDay(saturdayToCome(Date.now()));
  return (
    <div className="rounded-xl border border-asphalt-300 bg-paper p-6 md:p-9 lg:px-10">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-asphalt-900 border-b-2 pb-3">
        <h3 className="font-bold text-lg text-asphalt-900 leading-normal tracking-title">
          {method.memo}
        </h3>
        <span className="type-small text-asphalt-600">{method.example}</span>
      </div>
      <p className="text-bubble mt-6 bg-sign-700 px-5 py-4 text-white">
        {textApplication({ ...exampleApplication, preferredDate })}
      </p>
      <ButtonLink
        href={smsHref(phone, blankApplication)}
        variant="outline"
        icon={MessageIcon}
        className="mt-6 w-full"
      >
        {method.sms}
      </ButtonLink>
    </div>
  );
}
