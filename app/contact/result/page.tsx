import type { Metadata } from "next";
import { cookies } from "next/headers";
import { RefusedForm } from "#components/application/refused-form.tsx";
import { ApplicationResult } from "#components/application/result.tsx";
import { SubmitNotes } from "#components/application/submit-notes.tsx";
import { SubmittedDraft } from "#components/application/submitted-draft.tsx";
import { StepsAfterReceipt } from "#components/home/next-steps.tsx";
import { AcademyRegistration } from "#components/pricing/academy-registration.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { PageHead } from "#components/ui/headings.tsx";
import { ArrowRightIcon } from "#components/ui/icons.tsx";
import { PhoneLink } from "#components/ui/phone-link.tsx";
import type { FieldName } from "#lib/application/fields.ts";
import { config } from "#lib/config.ts";
import { FORM_RESULT_ID, formResultTexts } from "#lib/content/form-result.ts";
import { formHref } from "#lib/content/links.ts";
import { pages } from "#lib/content/pages.ts";
import { parseFormResult, RESULT_COOKIE } from "#lib/intake/form-result-cookie.ts";

/** No search engine may list the page, because it shows what one visitor entered. */
const UNLISTED: Metadata = { robots: { index: false, follow: false }, referrer: "same-origin" };

const resultOfVisitor = async () => parseFormResult((await cookies()).get(RESULT_COOKIE)?.value);

export async function generateMetadata() {
  const refused = (await resultOfVisitor())?.kind === "refused";
  return { ...UNLISTED, title: refused ? formResultTexts.refusedPageTitle : formResultTexts.title };
}

export default async function ContactResultPage() {
  const result = await resultOfVisitor();
  const { inquiryPhone, callbackPromise, retentionDays } = config();
  return (
    <main className="page-width pt-10 pb-18 md:pt-16 md:pb-24">
      <div className="max-w-[46rem]">
        {result === undefined ? (
          <NoResult phone={inquiryPhone} />
        ) : result.kind === "received" ? (
          <>
            <SubmittedDraft />
            <ApplicationResult
              heading="h1"
              id={FORM_RESULT_ID}
              outcome={result.receipt}
              values={result.application}
              phone={inquiryPhone}
              callbackPromise={callbackPromise}
            />
            <StepsAfterReceipt heading="h2" />
            <WaysBack />
          </>
        ) : (
          <RefusedForm
            form={result.form}
            message={result.message}
            errors={firstErrorOfEachField(result.errors)}
            values={result.values}
            phone={inquiryPhone}
            submitNotes={
              <SubmitNotes
                retentionDays={retentionDays}
                registration={<AcademyRegistration />}
                callbackPromise={callbackPromise}
              />
            }
          />
        )}
      </div>
    </main>
  );
}

function WaysBack() {
  return (
    <p className="mt-6 flex flex-wrap gap-x-6 print:hidden">
      {[pages.pricing, pages.home].map(({ path, name }) => (
        <a key={path} href={path} className="text-link">
          <span className="text-link-line">{name}</span>
          <ArrowRightIcon />
        </a>
      ))}
    </p>
  );
}

/** The result has expired, the browser blocks cookies, or nothing was sent. An application may have been stored. */
function NoResult({ phone }: { phone: string }) {
  return (
    <>
      <PageHead title={formResultTexts.goneTitle} lead={formResultTexts.goneLead} />
      <div className="mt-8 flex flex-wrap gap-4">
        <ButtonLink href={formHref}>{formResultTexts.again}</ButtonLink>
        <PhoneLink label={formResultTexts.call} phone={phone} />
      </div>
    </>
  );
}

function firstErrorOfEachField(errors: Partial<Record<FieldName, string[]>>) {
  return Object.fromEntries(Object.entries(errors).map(([field, [first]]) => [field, first]));
}
