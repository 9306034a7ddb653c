import { blankApplication } from "#lib/content/business.ts";
import { expect, test } from "#testing/test.ts";

for (const path of ["/", "/gallery", "/pricing", "/contact", "/no-such-road"]) {
  test(`on ${path} an inquiry opens an empty text, and only 문자로 신청하기 the blank form`, async ({
    page,
    site,
    quiet,
  }) => {
    quiet(/404/);
    await page.goto(site.url + path);
    const links = await page.$$eval('a[href^="sms:"]', (all) =>
      all.map((link) => ({ says: link.textContent ?? "", href: link.getAttribute("href") ?? "" })),
    );
    expect(links.length).toBeGreaterThan(0);
    for (const { says, href } of links) {
      const blank = `sms:01000000000?&body=${encodeURIComponent(blankApplication)}`;
      expect(href, says).toBe(says.includes("문자로 신청하기") ? blank : "sms:01000000000");
    }
  });
}

test("the blank form has a line for each thing that the owner needs, the name first", () => {
  expect(blankApplication.split("\n")).toEqual([
    "운전연수 신청",
    "이름: ",
    "성별: ",
    "나이: ",
    "지역: ",
    "희망 날짜: ",
    "요일: ",
    "시간대: ",
    "차량: ",
  ]);
});
