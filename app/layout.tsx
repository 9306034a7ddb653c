import type { Metadata, Viewport } from "next";
import { connection } from "next/server";
import type { ReactNode } from "react";
import { pretendard, pretendardLater, pretendardPrivacy } from "#app/fonts/pretendard.ts";
import { BottomBar } from "#components/layout/bottom-bar.tsx";
import { DirectionSign } from "#components/layout/direction-sign.tsx";
import { FailureFrame } from "#components/layout/failure-page.tsx";
import { Footer } from "#components/layout/footer.tsx";
import { TopBar } from "#components/layout/top-bar.tsx";
import { NoticesSlot } from "#components/notices/notices-slot.tsx";
import { seoulYear } from "#lib/application/seoul-time.ts";
import { config } from "#lib/config.ts";
import { footer, siteChrome } from "#lib/content/layout.ts";
import { notFound } from "#lib/content/not-found.ts";
import { seoPages, themeColour, titleTemplate } from "#lib/content/seo.ts";
import "./globals.css";

const fonts = [pretendard, pretendardPrivacy, pretendardLater];

export const viewport: Viewport = { themeColor: themeColour, viewportFit: "cover" };

export async function generateMetadata(): Promise<Metadata> {
  await connection();
  const { siteUrl, googleSiteVerification: google, naverSiteVerification: naver } = config();
  return {
    metadataBase: new URL(siteUrl),
    title: { default: seoPages.home.title, template: titleTemplate },
    verification: {
      ...(google && { google }),
      ...(naver && { other: { "naver-site-verification": naver } }),
    },
    formatDetection: { telephone: false },
  };
}

/** The registered facts of the business that are configured. */
function knownFacts() {
  const configured = config();
  return footer.facts.flatMap(({ fact, label }) => {
    const value = configured[fact];
    return value === undefined ? [] : [{ label, value }];
  });
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  // The pages show what the running process was configured with, and not the machine that built them.
  await connection();
  const { inquiryPhone, callbackPromise } = config();
  return (
    <html lang="ko" className={fonts.map(({ variable }) => variable).join(" ")}>
      <body>
        <a href="#content" className="skip-link">
          {siteChrome.skip}
        </a>
        <TopBar phone={inquiryPhone} />
        <NoticesSlot phone={inquiryPhone} callback={callbackPromise} />
        <div id="content" tabIndex={-1} className="flex grow flex-col outline-none">
          <FailureFrame phone={inquiryPhone} sign={<DirectionSign label={notFound.sign} />}>
            {children}
          </FailureFrame>
        </div>
        <Footer phone={inquiryPhone} year={seoulYear(Date.now())} facts={knownFacts()} />
        <BottomBar phone={inquiryPhone} />
      </body>
    </html>
  );
}
