import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { examineSettings } from "#cli/doctor/settings.ts";
import { examineSite } from "#cli/doctor/site.ts";
import { builtInFacts, parseConfig } from "#lib/config.ts";

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

const folder = mkdtempSync(join(tmpdir(), "doctor-"));
afterAll(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, ".next"));
writeFileSync(join(folder, ".next/BUILD_ID"), "build");
writeFileSync(
  join(folder, ".next/built-in-facts.json"),
  JSON.stringify(builtInFacts(parseConfig(GOOD))),
);

function look(changes: Record<string, string> = {}, from = folder): Record<string, string> {
  const findings = examineSite(parseConfig({ ...GOOD, ...changes }), from);
  return Object.fromEntries(
    findings.map(({ check, level, sentence }) => [check, `${level}: ${sentence}`]),
  );
}

test("all is well", () => {
  const { "sample-pictures": pictures, ...others } = look();
  const levels = Object.values(others).map((told) => told.split(":")[0]);
  expect(new Set(levels)).toEqual(new Set(["ok"]));
  // The gallery that comes with the site is drawn.
  expect(pictures).toMatch(/^warn: 갤러리의 그림 \d+장이 예시입니다\(.+\)\. .+바꿔 주세요\.$/);
});

test.each(["http://localhost:3000", "https://127.0.0.1", "https://[::1]", "https://site.local"])(
  "an address that only this machine knows: %s",
  (siteUrl) => {
    expect(look({ SITE_URL: siteUrl })["site-address"]).toMatch(
      /^fault: SITE_URL이 .+이어서 검색 결과와 카카오톡 미리보기가 없는 주소를 가리킵니다\. .+빌드해 주세요\.$/,
    );
  },
);

test("an address without https", () => {
  expect(look({ SITE_URL: "http://practice.example" })["site-address"]).toMatch(
    /^fault: SITE_URL이 https가 아니어서 .+바꿔 주세요\.$/,
  );
});

test("a proxy that nobody told about, and one that can be walked around", () => {
  expect(look({ TRUSTED_PROXY_HOPS: "0" })["proxy-hops"]).toMatch(
    /^fault: TRUSTED_PROXY_HOPS가 0이라 모든 방문자가 한 사람으로 계산되어 .+넣어 주세요\.$/,
  );
  expect(look({ HOSTNAME: "" })["proxy-bypass"]).toMatch(
    /^warn: 프록시를 거치지 않고도 접속할 수 있어 .+HOSTNAME=127\.0\.0\.1/,
  );
});

test("the example's number", () => {
  expect(look({ INQUIRY_PHONE: "" })["inquiry-phone"]).toMatch(
    /^fault: 문의 전화가 예시 번호 010-0000-0000입니다\. .+빌드해 주세요\.$/,
  );
});

test.each(Object.keys(GOOD).filter((name) => name.startsWith("BUSINESS_")))(
  "a business fact that is missing: %s",
  (name) => {
    expect(look({ [name]: "" })["business-facts"]).toMatch(
      new RegExp(`^warn: 사업자 정보 ${name}이\\(가\\) 비어 있습니다\\. .+빌드해 주세요\\.$`),
    );
  },
);

test("practice for money without a registered academy, by the law that forbids it", () => {
  expect(look({ ACADEMY_REGISTRATION: "" })["academy-registration"]).toMatch(
    /^warn: 학원 등록번호가 없습니다\. 도로교통법 제116조.+ACADEMY_REGISTRATION.+시작해 주세요\.$/,
  );
});

test("no build, and one that shows other facts", () => {
  expect(look({}, join(folder, "nowhere")).build).toMatch(/^fault: 빌드가 없어 .+실행해 주세요\.$/);
  expect(look({ INQUIRY_PHONE: "010-8765-4321" }).build).toBe(
    "fault: 화면이 예전 INQUIRY_PHONE 값으로 빌드되어 있어 시작이 거부됩니다. npm run build를 실행해 주세요.",
  );
});

test("each faulty setting by its name, and no secret", () => {
  const { config, findings } = examineSettings({ SMS_TO: "nobody", SMTP_URL: "http://u:secret@x" });
  expect(config).toBeUndefined();
  expect(findings.map(({ level, sentence }) => `${level}: ${sentence}`)).toEqual([
    "fault: 설정 SMS_TO이(가) 올바르지 않습니다(must be a phone number). .env.example의 설명을 보고 .env에서 고쳐 주세요.",
    expect.stringMatching(/^fault: 설정 SMTP_URL이\(가\) 올바르지 않습니다/),
  ]);
  expect(JSON.stringify(findings)).not.toContain("secret");
});
