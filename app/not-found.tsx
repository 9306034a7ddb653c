import type { Metadata } from "next";
import { DirectionSign } from "#components/layout/direction-sign.tsx";
import { ErrorLayout } from "#components/layout/error-layout.tsx";
import { CopyNumberButton } from "#components/ui/copy-button.tsx";
import { PhoneIcon } from "#components/ui/icons.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { config } from "#lib/config.ts";
import { telHref } from "#lib/content/links.ts";
import { notFoundCopy } from "#lib/content/not-found.ts";

export const metadata: Metadata = { title: notFoundCopy.name };

export default function NotFoundPage() {
  const { inquiryPhone } = config();
  return (
    <ErrorLayout
      title={notFoundCopy.title}
      lead={notFoundCopy.lead}
      actions={
        <>
          <TextLink href={telHref(inquiryPhone)} icon={PhoneIcon} className="tabular wrap-anywhere">
            {notFoundCopy.call} <span className="inline-block">{inquiryPhone}</span>
          </TextLink>
          <CopyNumberButton phone={inquiryPhone} />
        </>
      }
    >
      <DirectionSign />
    </ErrorLayout>
  );
}
