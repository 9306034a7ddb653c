import { isIP } from "node:net";
import { seoulDateTime } from "#lib/application/seoul-time.ts";
import type { Config } from "#lib/config.ts";
import { business, SAMPLE_NAME } from "#lib/content/business.ts";
import { samples } from "#lib/content/gallery.ts";
import { type Finding, fault, warn } from "#lib/finding.ts";
import { missingFacts } from "#server/banner.ts";

/**
 * What is wrong with what visitors see: the address, the proxy in front, the number, the facts on the pages.
 * `forwardedAt`: when a proxy has named a visitor, ms since the epoch.
 */
export function examineSite(config: Config, forwardedAt?: number): Finding[] {
  const { siteUrl, inquiryPhone, trustedProxyHops, academyRegistration } = config;
  const { protocol, hostname } = new URL(siteUrl);
  const isLocal =
    isIP(hostname.replace(/^\[|\]$/g, "")) !== 0 ||
    /^localhost$|\.(local|localhost|internal)$/.test(hostname);
  const isHttps = protocol === "https:";
  // The process itself speaks no TLS: with https there is a proxy in front.
  const hasProxy = isHttps || forwardedAt !== undefined;
  const seen = forwardedAt === undefined ? "" : `(${seoulDateTime(forwardedAt)}에 확인)`;
  const isOpen = config.hostname === "0.0.0.0" || config.hostname === "::";
  // The registration of the academy has a sentence of its own.
  const missing = missingFacts(config).filter((name) => name !== "ACADEMY_REGISTRATION");
  const titles = samples.map(({ title }) => title).join(", ");
  const findings = [
    isLocal &&
      fault(
        `SITE_URL이 ${siteUrl}이어서 검색 결과와 카카오톡 미리보기가 없는 주소를 가리킵니다. .env에 방문자가 쓰는 주소를 넣고 다시 시작해 주세요.`,
      ),
    !isLocal &&
      !isHttps &&
      fault(
        "SITE_URL이 https가 아니어서 신청자의 개인정보가 암호화되지 않고 오갑니다. 인증서를 설치하고 https 주소로 바꿔 주세요.",
      ),
    hasProxy &&
      trustedProxyHops === 0 &&
      fault(
        `앞에 프록시가 있는데${seen} TRUSTED_PROXY_HOPS가 0이라, 모든 방문자가 한 사람으로 계산되어 신청이 자동 입력으로 의심받거나 거절됩니다. .env에 프록시(nginx, Caddy 등)의 수를 넣어 주세요.`,
      ),
    isHttps &&
      trustedProxyHops > 0 &&
      isOpen &&
      warn(
        "프록시를 거치지 않고도 접속할 수 있어 방문자 주소를 속일 수 있습니다. HOSTNAME=127.0.0.1로 바꿔 주세요(컨테이너 안이라면 그대로 두세요).",
      ),
    inquiryPhone === business.inquiryPhone &&
      fault(
        `문의 전화가 예시 번호 ${inquiryPhone}입니다. .env의 INQUIRY_PHONE에 실제 번호를 넣고 다시 시작해 주세요.`,
      ),
    business.name === SAMPLE_NAME &&
      warn(
        `"${business.name}"은 예시로 지어낸 상호입니다. lib/content/business.ts에 실제 상호를 적어 주세요.`,
      ),
    missing.length > 0 &&
      warn(
        `사업자 정보 ${missing.join(", ")}이(가) 비어 있습니다. 전자상거래법·개인정보 보호법이 요구하거나 방문자가 찾는 정보이니 .env에 넣고 다시 시작해 주세요.`,
      ),
    academyRegistration === undefined &&
      warn(
        "학원 등록번호가 없습니다. 도로교통법 제116조는 등록하지 않고 돈을 받는 운전교육을 금지합니다. 등록한 학원이면 .env의 ACADEMY_REGISTRATION에 번호를 넣고 다시 시작해 주세요.",
      ),
    samples.length > 0 &&
      warn(
        `갤러리의 그림 ${samples.length}장이 예시입니다(${titles}). lib/content/gallery.ts에서 실제 사진으로 바꿔 주세요.`,
      ),
  ];
  return findings.filter((finding) => finding !== false);
}
