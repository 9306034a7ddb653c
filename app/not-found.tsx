import type { Metadata } from "next";
import { DirectionSign } from "#components/layout/direction-sign.tsx";
import { ErrorLayout } from "#components/layout/error-layout.tsx";
import { CopyPhoneButton } from "#components/ui/copy-button.tsx";
import { PhoneLink } from "#components/ui/phone-link.tsx";
import { config } from "#lib/config.ts";
import { notFoundCopy } from "#lib/content/error-pages.ts";

export const metadata: Metadata = { title: notFoundCopy.name };

export default function NotFoundPage() {
  const { inquiryPhone } = config();
  return (
    <ErrorLayout
      title={notFoundCopy.title}
      lead={notFoundCopy.lead}
      actions={
        <>
          <PhoneLink label={notFoundCopy.call} phone={inquiryPhone} />
          <CopyPhoneButton phone={inquiryPhone} />
        </>
      }
    >
      <DirectionSign />
    </ErrorLayout>
  );
}
