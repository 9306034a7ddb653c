import type { Metadata } from "next";
import type { ReactNode } from "react";
import { FormCorrection } from "#components/application/form-correction.tsx";
import { FormReceipt } from "#components/application/form-receipt.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { PageHead } from "#components/ui/page-head.tsx";
import type { FieldName } from "#lib/application/fields.ts";
import { config } from "#lib/config.ts";
import { formResultCopy } from "#lib/content/form-result.ts";
import { formResult } from "#lib/intake/form-results.ts";

export const dynamic = "force-dynamic";

/** The address is known to this one browser; no search engine or other site is to learn it. */
const UNLISTED: Metadata = { robots: { index: false, follow: false }, referrer: "same-origin" };

interface Props {
  params: Promise<{ token: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const refused = (await formResult((await params).token))?.kind === "refused";
  return { ...UNLISTED, title: refused ? formResultCopy.refusedPageTitle : formResultCopy.title };
}

/** What became of a form that was sent without JavaScript; the form's route redirects here. */
export default async function Page({ params }: Props) {
  const result = await formResult((await params).token);
  const { inquiryPhone, retentionDays } = config();
  if (result === undefined) {
    return (
      <Frame>
        <PageHead title={formResultCopy.goneTitle} lead={formResultCopy.goneLead} />
        <p className="mt-8">
          <ButtonLink href="/contact">{formResultCopy.again}</ButtonLink>
        </p>
      </Frame>
    );
  }
  return (
    <Frame>
      {result.kind === "received" ? (
        <FormReceipt
          receipt={result.receipt}
          application={result.application}
          phone={inquiryPhone}
        />
      ) : (
        <FormCorrection
          form={result.form}
          message={result.message}
          errors={firstOfEach(result.errors)}
          values={result.values}
          phone={inquiryPhone}
          retentionDays={retentionDays}
        />
      )}
    </Frame>
  );
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <main className="page-width pt-10 pb-18 md:pt-16 md:pb-24">
      <div className="max-w-[46rem]">{children}</div>
    </main>
  );
}

function firstOfEach(errors: Partial<Record<FieldName, string[]>>) {
  return Object.fromEntries(Object.entries(errors).map(([field, [first]]) => [field, first]));
}
