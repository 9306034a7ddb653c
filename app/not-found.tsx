import type { Metadata } from "next";
import { DirectionSign } from "#components/layout/direction-sign.tsx";
import { ErrorLayout } from "#components/layout/error-layout.tsx";
import { CopyNumber } from "#components/ui/copy-button.tsx";
import { PhoneIcon } from "#components/ui/icons.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { config } from "#lib/config.ts";
import { telHref } from "#lib/content/links.ts";
import { notFound } from "#lib/content/not-found.ts";

export const metadata: Metadata = { title: notFound.name };

export default function NotFoundPage() {
  const { inquiryPhone } = config();
  return (
    <ErrorLayout
      title={notFound.title}
      lead={notFound.lead}
      actions={
        <>
          <TextLink href={telHref(inquiryPhone)} icon={PhoneIcon} className="tabular wrap-anywhere">
            {notFound.call} <span className="inline-block">{inquiryPhone}</span>
          </TextLink>
          <CopyNumber phone={inquiryPhone} />
        </>
      }
    >
      <DirectionSign />
    </ErrorLayout>
  );
}
