import { PageStructuredData, pageMetadata } from "#app/page-metadata.tsx";
import { ApplicationMethod } from "#components/home/application-method.tsx";
import { Closing } from "#components/home/closing.tsx";
import { Features } from "#components/home/features.tsx";
import { Hero } from "#components/home/hero.tsx";
import { HourStrip } from "#components/home/hour-strip.tsx";
import { Prices } from "#components/home/prices.tsx";
import { Promotion } from "#components/home/promotion.tsx";
import { RegionGrid } from "#components/home/region-grid.tsx";
import { config } from "#lib/config.ts";

export const generateMetadata = () => pageMetadata("home");

export default function HomePage() {
  const { inquiryPhone, retentionDays, callbackPromise, academyRegistration } = config();
  return (
    <main>
      <Hero phone={inquiryPhone} />
      <HourStrip />
      <Features />
      <RegionGrid phone={inquiryPhone} />
      <Promotion />
      <Prices registration={academyRegistration} />
      <ApplicationMethod
        phone={inquiryPhone}
        retentionDays={retentionDays}
        registration={academyRegistration}
        callback={callbackPromise}
      />
      <Closing phone={inquiryPhone} />
      <PageStructuredData page="home" />
    </main>
  );
}
