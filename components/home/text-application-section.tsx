import { ApplyButton } from "#components/application/apply-button.tsx";
import { HomePageReceipts } from "#components/notice-boxes/home-page-receipts.tsx";
import { AcademyRegistration } from "#components/pricing/academy-registration.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { CopyPhoneButton } from "#components/ui/copy-button.tsx";
import { MessageIcon } from "#components/ui/icons.tsx";
import { PageText } from "#components/ui/page-text.tsx";
import { koreanDateWithWeekday, saturdayAfterNext } from "#lib/application/seoul-time.ts";
import { config } from "#lib/config.ts";
import { exampleApplicationValues, textApplicationSection } from "#lib/content/home-page.ts";
import { smsHref } from "#lib/content/links.ts";
import { blankTextApplication, composeTextTemplate } from "#lib/content/text-application.ts";

const [beforePhone = "", afterPhone = ""] = textApplicationSection.lead.split("{phone}");

export function TextApplicationSection() {
  const { inquiryPhone, callbackPromise, retentionDays } = config();
  return (
    <section className="section-block bg-white">
      <div className="page-width method">
        <div>
          <PageText
            as="h2"
            className="type-h2 text-asphalt-900"
            text={textApplicationSection.title}
          />
          <p className="type-lead mt-4 text-asphalt-600">
            <PageText text={beforePhone} />
            <strong className="whitespace-nowrap text-asphalt-900">{inquiryPhone}</strong>
            <PageText text={afterPhone} />
          </p>
          <div className="mt-6 grid gap-2.5 sm:flex sm:flex-wrap">
            <ButtonLink
              href={smsHref(inquiryPhone, blankTextApplication)}
              size="lg"
              icon={MessageIcon}
            >
              {textApplicationSection.sms}
            </ButtonLink>
            <ApplyButton
              phone={inquiryPhone}
              callbackPromise={callbackPromise}
              retentionDays={retentionDays}
              registration={<AcademyRegistration />}
            >
              {textApplicationSection.apply}
            </ApplyButton>
            <CopyPhoneButton phone={inquiryPhone} />
          </div>
          <HomePageReceipts phone={inquiryPhone} callbackPromise={callbackPromise} />
        </div>
        <ExampleTextMessage />
      </div>
    </section>
  );
}

function ExampleTextMessage() {
  const preferredDate = koreanDateWithWeekday(saturdayAfterNext(Date.now()));
  return (
    <div className="text-phone">
      <div className="text-phone-head">
        <h3 className="font-bold text-asphalt-900">{textApplicationSection.memo}</h3>
        <span className="type-helper text-asphalt-600">{textApplicationSection.example}</span>
      </div>
      <p className="text-bubble mt-4 bg-sign-700 px-4 py-3 text-white">
        {composeTextTemplate({ ...exampleApplicationValues, preferredDate })}
      </p>
    </div>
  );
}
