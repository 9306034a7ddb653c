import { expect, test } from "vitest";
import { examineSite } from "#cli/doctor/site.ts";
import { parseConfig } from "#lib/config.ts";

const GOOD = {
  SITE_URL: "https://practice.example",
  INQUIRY_PHONE: "010-1234-5678",
  TRUSTED_PROXY_HOPS: "1",
  HOSTNAME: "127.0.0.1",
  BUSINESS_NAME: "차근차근",
  BUSINESS_OWNER: "김여주",
  BUSINESS_REGISTRATION: "123-45-67890",
  BUSINESS_ADDRESS: "경기도 여주시",
  BUSINESS_EMAIL: "a@practice.example",
  ACADEMY_REGISTRATION: "제1호",
};

const look = (changes: Record<string, string> = {}, forwardedAt?: number) =>
  examineSite(parseConfig({ ...GOOD, ...changes }), forwardedAt).map(
    ({ level, sentence }) => `${level}: ${sentence}`,
  );
/** The name and the gallery that come with the site are invented, whatever the settings. */
const samples = look();

test("the samples of the content are named, and nothing else where all is well", () => {
  expect(samples).toEqual([
    'warn: "차근차근 운전연수"은 예시로 지어낸 상호입니다. lib/content/business.ts에 실제 상호를 적어 주세요.',
    expect.stringMatching(/^warn: 갤러리의 그림 \d+장이 예시입니다\(.+\)\. .+바꿔 주세요\.$/),
  ]);
});

const ONLY_HERE =
  /^fault: SITE_URL이 .+이어서 검색 결과와 카카오톡 미리보기가 없는 주소를 가리킵니다\. .+시작해 주세요\.$/;
const HOPS = /^fault: 앞에 프록시가 있는데 TRUSTED_PROXY_HOPS가 0이라, .+수를 넣어 주세요\.$/;
const NO_ACADEMY =
  /^warn: 학원 등록번호가 없습니다\. 도로교통법 제116조.+ACADEMY_REGISTRATION.+시작해 주세요\.$/;

test.each([
  [{ SITE_URL: "http://localhost:3000" }, ONLY_HERE],
  [{ SITE_URL: "https://127.0.0.1" }, ONLY_HERE],
  [{ SITE_URL: "https://[::1]" }, ONLY_HERE],
  [{ SITE_URL: "https://site.local" }, ONLY_HERE],
  [{ SITE_URL: "http://practice.example" }, /^fault: SITE_URL이 https가 아니어서 .+바꿔 주세요\.$/],
  [{ TRUSTED_PROXY_HOPS: "0" }, HOPS],
  [{ HOSTNAME: "" }, /^warn: 프록시를 거치지 않고도 접속할 수 있어 .+HOSTNAME=127\.0\.0\.1/],
  [{ INQUIRY_PHONE: "" }, /^fault: 문의 전화가 예시 번호 010-0000-0000입니다\. .+시작해 주세요\.$/],
  [{ BUSINESS_OWNER: "" }, /^warn: 사업자 정보 BUSINESS_OWNER이\(가\) 비어 있습니다\. .+주세요\.$/],
  [{ ACADEMY_REGISTRATION: "" }, NO_ACADEMY],
])("%j is told, and nothing else", (changes, told) => {
  const found = look(changes).filter((each) => !samples.includes(each));
  expect(found).toEqual([expect.stringMatching(told)]);
});

test("a proxy that has named a visitor is told also where nothing else says that there is one", () => {
  const alone = { SITE_URL: "http://practice.example", TRUSTED_PROXY_HOPS: "0" };
  const seen = /앞에 프록시가 있는데\(.+에 확인\) TRUSTED_PROXY_HOPS가 0이라/;
  expect(look(alone).join()).not.toMatch(/TRUSTED_PROXY_HOPS/);
  expect(look(alone, Date.now()).join()).toMatch(seen);
});
