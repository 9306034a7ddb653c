import { PageStructuredData, pageMetadata } from "#app/page-metadata.tsx";
import { ContactApplication } from "#components/application/contact-application.tsx";
import { SubmitNotes } from "#components/application/submit-notes.tsx";
import { ContactInfo } from "#components/contact/contact-info.tsx";
import { ContactStrip } from "#components/contact/contact-strip.tsx";
import { StepsAfterReceipt } from "#components/home/next-steps.tsx";
import { AcademyRegistration } from "#components/pricing/academy-registration.tsx";
import { PageText } from "#components/ui/page-text.tsx";
import { config } from "#lib/config.ts";
import { applicationFormTexts } from "#lib/content/application-form.ts";
import { contactTexts } from "#lib/content/contact-page.ts";

export const generateMetadata = () => pageMetadata("contact");

export default function ContactPage() {
  const { inquiryPhone, callbackPromise, retentionDays } = config();
  const lead = [contactTexts.lead.form, callbackPromise, contactTexts.lead.call]
    .filter(Boolean)
    .join(" ");
  return (
    <main>
      <div className="page-width page-block">
        <header className="beside-form">
          <h1 className="text-asphalt-900 type-h1">{contactTexts.title}</h1>
          <PageText as="p" className="mt-4 max-w-[44rem] text-asphalt-600 type-lead" text={lead} />
        </header>
        <div className="mt-9 grid items-start gap-6 lg:mt-15 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)] lg:gap-10">
          <section
            aria-label={applicationFormTexts.title}
            className="min-w-0 rounded-xl border border-asphalt-300 bg-white px-[min(1.25rem,5vw)] py-7 sm:px-8 md:py-10 lg:col-start-2 lg:px-11 lg:py-11"
          >
            <ContactApplication
              phone={inquiryPhone}
              callbackPromise={callbackPromise}
              nextSteps={<StepsAfterReceipt heading="h3" />}
              submitNotes={
                <SubmitNotes
                  retentionDays={retentionDays}
                  registration={<AcademyRegistration />}
                  callbackPromise={callbackPromise}
                />
              }
            />
          </section>
          <ContactInfo />
        </div>
      </div>
      <ContactStrip />
      <PageStructuredData page="contact" />
    </main>
  );
}
