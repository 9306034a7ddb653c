import type { Metadata } from "next";
import { DirectionSign } from "#components/layout/direction-sign.tsx";
import { ErrorLayout } from "#components/layout/error-layout.tsx";
import { CopyPhoneButton } from "#components/ui/copy-button.tsx";
import { PhoneLink } from "#components/ui/phone-link.tsx";
import { config } from "#lib/config.ts";
import { notFoundTexts } from "#lib/content/error-pages.ts";

export const metadata: Metadata = { title: notFoundTexts.name };

export default function NotFoundPage() {
  const { inquiryPhone } = config();
  return (
    <ErrorLayout
      title={notFoundTexts.title}
      lead={notFoundTexts.lead}
      actions={
        <>
          <PhoneLink label={notFoundTexts.call} phone={inquiryPhone} />
          <CopyPhoneButton phone={inquiryPhone} />
        </>
      }
    >
      <DirectionSign />
    </ErrorLayout>
  );
}
