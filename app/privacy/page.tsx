import { preloadFont } from "#app/fonts/preload-font.ts";
import { PageStructuredData, pageMetadata } from "#app/page-metadata.tsx";
import { PrivacyPolicy } from "#components/privacy/privacy-policy.tsx";
import { PageHead } from "#components/ui/headings.tsx";
import { PageText } from "#components/ui/page-text.tsx";
import { BACKUP_LIFETIME_MS, DAY } from "#lib/application/durations.ts";
import { koreanDateWithYear } from "#lib/application/seoul-time.ts";
import { config } from "#lib/config.ts";
import { business, STOCK_PHOTO_HOST } from "#lib/content/business.ts";
import { RECEIPT_DAYS } from "#lib/content/on-device.ts";
import { isStockPhoto } from "#lib/content/picture.ts";
import { fillSections } from "#lib/content/policy.ts";
import { policySections, privacyPage } from "#lib/content/privacy-page.ts";
import { sitePictures } from "#lib/content/site-pictures.ts";
import { fillPlaceholders } from "#lib/content/text-notation.ts";

export const generateMetadata = () => pageMetadata("privacy");

export default function PrivacyPage() {
  preloadFont("privacy");
  const configured = config();
  const placeholders = {
    ...configured,
    name: configured.businessName ?? business.name,
    receiptDays: RECEIPT_DAYS,
    backupDays: BACKUP_LIFETIME_MS / DAY,
    encrypted: configured.siteUrl.startsWith("https:") ? privacyPage.encrypted : undefined,
    photoHost: sitePictures.some(({ src }) => isStockPhoto(src)) ? STOCK_PHOTO_HOST : undefined,
    processors: configured.privacyMailProcessor ?? configured.privacyHostProcessor,
  };
  const date = koreanDateWithYear(configured.privacyDate ?? privacyPage.date);
  return (
    <main className="page-width page-block font-privacy">
      <div className="max-w-[42rem]">
        <PageHead title={privacyPage.title} lead={privacyPage.lead} />
        <PrivacyPolicy sections={fillSections(policySections, placeholders)} />
        <p className="type-body mt-10 lg:mt-12">
          <PageText text={fillPlaceholders(privacyPage.effective, { date })} />
        </p>
      </div>
      <PageStructuredData page="privacy" />
    </main>
  );
}
