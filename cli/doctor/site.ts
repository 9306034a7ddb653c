/** What visitors see: the address, the proxy in front, the number, the facts on the pages. */
import { existsSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import type { Config } from "#lib/config.ts";
import { business } from "#lib/content/business.ts";
import { samples } from "#lib/content/gallery.ts";
import { type Finding, fault, ok, warn } from "#lib/finding.ts";
import { missingFacts } from "#server/banner.ts";

export function examineSite(config: Config, folder = "."): Finding[] {
  return [
    address(config.siteUrl),
    ...proxy(config),
    phone(config.inquiryPhone),
    facts(config),
    academy(config),
    pictures(),
    build(folder),
  ];
}

function address(siteUrl: string): Finding {
  const { protocol, hostname } = new URL(siteUrl);
  const local = hostname === "localhost" || /\.(local|localhost|internal)$/.test(hostname);
  if (local || isIP(hostname.replace(/^\[|\]$/g, "")) !== 0) {
    const sentence = `SITE_URL이 ${siteUrl}이어서 검색 결과와 카카오톡 미리보기가 없는 주소를 가리킵니다. .env에 방문자가 쓰는 주소를 넣고 다시 시작해 주세요.`;
    return fault("site-address", sentence);
  }
  if (protocol !== "https:") {
    const sentence =
      "SITE_URL이 https가 아니어서 신청자의 개인정보가 암호화되지 않고 오갑니다. 인증서를 설치하고 https 주소로 바꿔 주세요.";
    return fault("site-address", sentence);
  }
  return ok("site-address", `사이트 주소는 ${siteUrl}입니다.`);
}

/** The process itself speaks no TLS: with https there is a proxy in front. */
function proxy({ siteUrl, trustedProxyHops, hostname }: Config): Finding[] {
  if (!siteUrl.startsWith("https:")) return [];
  if (trustedProxyHops === 0) {
    const sentence =
      "TRUSTED_PROXY_HOPS가 0이라 모든 방문자가 한 사람으로 계산되어 신청이 거절될 수 있습니다. 앞에 있는 프록시(nginx 등)의 수를 넣어 주세요.";
    return [fault("proxy-hops", sentence)];
  }
  if (hostname === "0.0.0.0" || hostname === "::") {
    const sentence =
      "프록시를 거치지 않고도 접속할 수 있어 방문자 주소를 속일 수 있습니다. HOSTNAME=127.0.0.1로 바꿔 주세요(컨테이너 안이라면 그대로 두세요).";
    return [warn("proxy-bypass", sentence)];
  }
  const sentence = `앞에 있는 프록시 ${trustedProxyHops}개를 거친 방문자 주소를 믿습니다.`;
  return [ok("proxy-hops", sentence)];
}

function phone(number: string): Finding {
  if (number !== business.inquiryPhone) return ok("inquiry-phone", `문의 전화는 ${number}입니다.`);
  const sentence = `문의 전화가 예시 번호 ${number}입니다. .env의 INQUIRY_PHONE에 실제 번호를 넣고 다시 시작해 주세요.`;
  return fault("inquiry-phone", sentence);
}

function facts(config: Config): Finding {
  // The registration of the academy has a finding of its own.
  const missing = missingFacts(config).filter((name) => name !== "ACADEMY_REGISTRATION");
  if (missing.length === 0) return ok("business-facts", "사업자 정보가 모두 표시됩니다.");
  const sentence = `사업자 정보 ${missing.join(", ")}이(가) 비어 있습니다. 전자상거래법·개인정보 보호법이 요구하거나 방문자가 찾는 정보이니 .env에 넣고 다시 시작해 주세요.`;
  return warn("business-facts", sentence);
}

function academy({ academyRegistration }: Config): Finding {
  if (academyRegistration) {
    const sentence = `학원 등록번호 ${academyRegistration}이(가) 비용과 신청서에 표시됩니다.`;
    return ok("academy-registration", sentence);
  }
  const sentence =
    "학원 등록번호가 없습니다. 도로교통법 제116조는 등록하지 않고 돈을 받는 운전교육을 금지합니다. 등록한 학원이면 .env의 ACADEMY_REGISTRATION에 번호를 넣고 다시 시작해 주세요.";
  return warn("academy-registration", sentence);
}

function pictures(): Finding {
  if (samples.length === 0) return ok("sample-pictures", "갤러리의 그림이 모두 실제 사진입니다.");
  const titles = samples.map(({ title }) => title).join(", ");
  const sentence = `갤러리의 그림 ${samples.length}장이 예시입니다(${titles}). lib/content/gallery.ts에서 실제 사진으로 바꿔 주세요.`;
  return warn("sample-pictures", sentence);
}

function build(folder: string): Finding {
  return existsSync(join(folder, ".next/BUILD_ID"))
    ? ok("build", "빌드가 있습니다.")
    : fault("build", "빌드가 없어 사이트를 시작할 수 없습니다. npm run build를 실행해 주세요.");
}
