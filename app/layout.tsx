import type { Metadata, Viewport } from "next";
import { connection } from "next/server";
import type { ReactNode } from "react";
import { preloadFont } from "#app/fonts/preload-font.ts";
import { BottomBar } from "#components/layout/bottom-bar.tsx";
import { DirectionSign } from "#components/layout/direction-sign.tsx";
import { FailureBoundary } from "#components/layout/failure-page.tsx";
import { Footer } from "#components/layout/footer.tsx";
import { TopBar } from "#components/layout/top-bar.tsx";
import { NoticeBoxArea } from "#components/notice-boxes/notice-box-area.tsx";
import { config } from "#lib/config.ts";
import { siteLayoutTexts } from "#lib/content/layout.ts";
import { pages, titleTemplate } from "#lib/content/pages.ts";
import design from "../tailwind.config.ts";
import "./globals.css";

export const viewport: Viewport = {
  themeColor: design.theme.colors.paper,
  viewportFit: "cover",
};

export async function generateMetadata(): Promise<Metadata> {
  await connection();
  const { siteUrl, googleSiteVerification: google, naverSiteVerification: naver } = config();
  return {
    metadataBase: new URL(siteUrl),
    title: { default: pages.home.title, template: titleTemplate },
    verification: {
      ...(google && { google }),
      ...(naver && { other: { "naver-site-verification": naver } }),
    },
    // Without this, iOS turns numbers and dates into links, which React does not expect when it hydrates the page.
    formatDetection: { telephone: false, date: false, address: false, email: false },
  };
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Waiting for a request keeps the build from rendering the pages with its own settings.
  await connection();
  const { inquiryPhone, callbackPromise } = config();
  preloadFont("pages");
  return (
    <html lang="ko">
      <body>
        <a href="#content" className="skip-link">
          {siteLayoutTexts.skip}
        </a>
        <TopBar />
        <NoticeBoxArea phone={inquiryPhone} callbackPromise={callbackPromise} />
        <div id="content" tabIndex={-1} className="flex grow flex-col outline-none">
          <FailureBoundary phone={inquiryPhone} sign={<DirectionSign />}>
            {children}
          </FailureBoundary>
        </div>
        <Footer />
        <BottomBar />
      </body>
    </html>
  );
}
