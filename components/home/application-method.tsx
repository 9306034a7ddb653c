import { ApplyButton } from "#components/application/apply-button.tsx";
import { AcademyRegistration } from "#components/pricing/academy-registration.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Copy } from "#components/ui/copy.tsx";
import { CopyPhoneButton } from "#components/ui/copy-button.tsx";
import { MessageIcon, PhoneIcon } from "#components/ui/icons.tsx";
import { dateWithWeekday, saturdayAfterNext } from "#lib/application/seoul-time.ts";
import { config } from "#lib/config.ts";
import { applicationMethod, exampleApplication } from "#lib/content/home.ts";
import { smsHref, telHref } from "#lib/content/links.ts";
import { blankTextApplication, composeTextApplication } from "#lib/content/text-application.ts";

const [beforePhone = "", afterPhone = ""] = applicationMethod.lead.split("{phone}");

export function ApplicationMethod() {
  const { inquiryPhone, callbackPromise, retentionDays } = config();
  return (
    <section className="section-block bg-white">
      <div className="page-width method">
        <div>
          <Copy as="h2" className="type-h2 text-asphalt-900" text={applicationMethod.title} />
          <p className="type-lead mt-4 text-asphalt-600">
            <Copy text={beforePhone} />
            <strong className="whitespace-nowrap text-asphalt-900">{inquiryPhone}</strong>
            <Copy text={afterPhone} />
          </p>
          <div className="mt-6 flex flex-col gap-2.5 min-[22.5rem]:flex-row min-[22.5rem]:flex-wrap *:flex-auto sm:*:flex-none">
            <ApplyButton
              phone={inquiryPhone}
              callback={callbackPromise}
              retentionDays={retentionDays}
              registration={<AcademyRegistration />}
            >
              {applicationMethod.apply}
            </ApplyButton>
            <ButtonLink href={telHref(inquiryPhone)} variant="outline" size="lg" icon={PhoneIcon}>
              {applicationMethod.call}
            </ButtonLink>
            <CopyPhoneButton phone={inquiryPhone} />
          </div>
        </div>
        <TextMemo />
      </div>
    </section>
  );
}

function TextMemo() {
  const preferredDate = dateWithWeekday(saturdayAfterNext(Date.now()));
  return (
    <div className="text-memo">
      <div className="text-memo-head">
        <h3 className="font-bold text-lg text-asphalt-900 leading-normal tracking-title">
          {applicationMethod.memo}
        </h3>
        <span className="type-small text-asphalt-600">{applicationMethod.example}</span>
      </div>
      <p className="text-bubble mt-4 bg-sign-700 px-5 py-4 text-white">
        {composeTextApplication({ ...exampleApplication, preferredDate })}
      </p>
      <ButtonLink
        href={smsHref(config().inquiryPhone, blankTextApplication)}
        variant="outline"
        icon={MessageIcon}
        className="mt-4 w-full"
      >
        {applicationMethod.sms}
      </ButtonLink>
    </div>
  );
}
