import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { PriceTicket } from "#components/pricing/price-ticket.tsx";
import { business } from "#lib/content/business.ts";
import { formatWonDigits, offers } from "#lib/content/prices.ts";
import { listRegionNames } from "#lib/content/regions.ts";
import { smsSettings } from "#testing/site/settings.ts";

vi.mock("next/navigation", () => ({ usePathname: () => "/", unstable_rethrow: () => undefined }));

async function renderPages(env: Record<string, string> = {}): Promise<Record<string, string>> {
  vi.resetModules();
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const pages = {
    home: await import("#app/page.tsx"),
    pricing: await import("#app/pricing/page.tsx"),
    contact: await import("#app/contact/page.tsx"),
    privacy: await import("#app/privacy/page.tsx"),
  };
  return Object.fromEntries(
    Object.entries(pages).map(([name, { default: Page }]) => [name, renderToStaticMarkup(Page())]),
  );
}

const REGISTRATION_PATTERN = /등록 자동차운전학원 <span[^>]*>제12호/;
const MESSENGER = "https://pf.kakao.example/_abc";
test.for<[name: string, value: string, pages: string, said?: RegExp]>([
  ["ACADEMY_REGISTRATION", "제12호", "home pricing contact", REGISTRATION_PATTERN],
  ["CALLBACK_PROMISE", "보통 두 시간 안에 전화드립니다.", "home pricing contact"],
  ["MESSENGER_URL", MESSENGER, "contact", new RegExp(`href="${MESSENGER}".*메신저로`)],
  ["INSTRUCTOR_NAME", "김연수 강사", "home pricing", />김연수 강사<\/h2>/],
  ["FACT_INSURANCE", "종합보험에 가입되어 있습니다.", "home pricing"],
  ["FACT_INSURANCE_OWN", "하루 보험에 들어 드립니다.", "home pricing"],
  ["FACT_BRAKE", "모든 연수차에 있습니다.", "pricing"],
  ["FACT_INSTRUCTORS", "기능강사 자격이 있습니다.", "pricing"],
  ["FACT_HOURS", "하루 2시간씩 5일", "home pricing"],
  ["FACT_PICKUP", "집 앞에서 만납니다", "home pricing"],
  ["FACT_FUEL", "유류비 포함", "home pricing"],
  ["FACT_FUEL_OWN", "기름은 직접", "home pricing"],
  ["FACT_CHANGES", "전날까지 무료 변경", "home pricing"],
  ["FACT_REFUND", "남은 시간만큼 돌려 드립니다.", "pricing"],
  ["PRIVACY_DATE", "2027-03-02", "privacy", /2027년 3월 2일부터/],
  ["PRIVACY_MAIL_PROCESSOR", "가나메일 주식회사", "privacy"],
  ["PRIVACY_HOST_PROCESSOR", "다라호스팅 주식회사", "privacy"],
  ["BUSINESS_REGISTRATION", "123-45 | 통신판매업 제6호", "privacy", />123-45 \| 통신판매업 제6호</],
])("the setting %s=%j shows on exactly these pages: %s", async ([name, value, pages, said]) => {
  const shown = Object.entries(await renderPages({ [name]: value })).filter(([, html]) =>
    (said ?? new RegExp(value)).test(html),
  );
  expect(shown.map(([page]) => page)).toEqual(pages.split(" "));
});

test("the pages name every price, every list price and every region", async () => {
  const { home = "", pricing = "" } = await renderPages();
  for (const { price, listPrice } of offers)
    for (const shown of [price, listPrice]) expect(pricing).toContain(formatWonDigits(shown));
  const [hero = ""] = home.split("</section>");
  for (const word of [business.service, ...listRegionNames()]) expect(hero).toContain(word);
});

test("a price without a discount is not called a discounted price", async () => {
  const undiscounted = offers.map((each) => ({ ...each, listPrice: each.price }));
  for (const offer of undiscounted) {
    const ticket = PriceTicket({ offer, heading: "h3", eager: false });
    expect(renderToStaticMarkup(ticket)).not.toMatch(/정가|할인/);
  }
  const prices = "#lib/content/prices.ts";
  vi.doMock(prices, async (original) => ({ ...(await original()), offers: undiscounted }));
  const { home } = await renderPages();
  vi.doUnmock(prices);
  expect(home).not.toMatch(/정가|할인/);
});

test("pages mention no messenger, insurance or processor that is not configured", async () => {
  const { privacy, ...others } = await renderPages();
  expect(Object.values(others).join("")).not.toMatch(
    /메신저로|등록 자동차운전학원|강사에게 전화|보험|브레이크|환불/,
  );
  expect(privacy).not.toMatch(/Twilio|개인정보 처리의 위탁/);
  expect((await renderPages(smsSettings({ url: "https://sms.example" }))).privacy).toContain(
    "Twilio",
  );
});
