/** What visitors see: the address, the proxy in front, the number, the facts on the pages. */
import { isIP } from "node:net";
import type { Config } from "#lib/config.ts";
import { business } from "#lib/content/business.ts";
import { samples } from "#lib/content/gallery.ts";
import { type Finding, fault, ok, warn } from "#lib/finding.ts";
import { missingFacts } from "#server/banner.ts";
import { settingsThatDiffer } from "#server/build-check.ts";

export function examineSite(config: Config, folder = "."): Finding[] {
  return [
    address(config.siteUrl),
    ...proxy(config),
    phone(config.inquiryPhone),
    facts(config),
    academy(config),
    pictures(),
    build(config, folder),
  ];
}

function address(siteUrl: string): Finding {
  const { protocol, hostname } = new URL(siteUrl);
  const local = hostname === "localhost" || /\.(local|localhost|internal)$/.test(hostname);
  if (local || isIP(hostname.replace(/^\[|\]$/g, "")) !== 0) {
    const sentence = `SITE_URL이 ${siteUrl}이어서 검색 결과와 카카오톡 미리보기가 없는 주소를 가리킵니다. .env에 방문자가 쓰는 주소를 넣고 다시 빌드해 주세요.`;
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
  const open = hostname === "0.0.0.0" || hostname === "::";
  return open
    ? [
        warn(
          "proxy-bypass",
          "프록시를 거치지 않고도 접속할 수 있어 방문자 주소를 속일 수 있습니다. HOSTNAME=127.0.0.1로 바꿔 주세요(컨테이너 안이라면 그대로 두세요).",
        ),
      ]
    : [ok("proxy-hops", `앞에 있는 프록시 ${trustedProxyHops}개를 거친 방문자 주소를 믿습니다.`)];
}

function phone(inquiryPhone: string): Finding {
  return inquiryPhone === business.inquiryPhone
    ? fault(
        "inquiry-phone",
        `문의 전화가 예시 번호 ${inquiryPhone}입니다. .env의 INQUIRY_PHONE에 실제 번호를 넣고 다시 빌드해 주세요.`,
      )
    : ok("inquiry-phone", `문의 전화는 ${inquiryPhone}입니다.`);
}

function facts(config: Config): Finding {
  // The registration of the academy has a finding of its own.
  const missing = missingFacts(config).filter((name) => name !== "ACADEMY_REGISTRATION");
  return missing.length === 0
    ? ok("business-facts", "사업자 정보가 모두 표시됩니다.")
    : warn(
        "business-facts",
        `사업자 정보 ${missing.join(", ")}이(가) 비어 있습니다. 전자상거래법·개인정보 보호법이 요구하거나 방문자가 찾는 정보이니 .env에 넣고 다시 빌드해 주세요.`,
      );
}

function academy({ academyRegistration }: Config): Finding {
  return academyRegistration
    ? ok(
        "academy-registration",
        `학원 등록번호 ${academyRegistration}이(가) 비용과 신청서에 표시됩니다.`,
      )
    : warn(
        "academy-registration",
        "학원 등록번호가 없습니다. 도로교통법 제116조는 등록하지 않고 돈을 받는 운전교육을 금지합니다. 등록한 학원이면 .env의 ACADEMY_REGISTRATION에 번호를 넣고 다시 시작해 주세요.",
      );
}

function pictures(): Finding {
  return samples.length === 0
    ? ok("sample-pictures", "갤러리의 그림이 모두 실제 사진입니다.")
    : warn(
        "sample-pictures",
        `갤러리의 그림 ${samples.length}장이 예시입니다(${samples.map(({ title }) => title).join(", ")}). lib/content/gallery.ts에서 실제 사진으로 바꿔 주세요.`,
      );
}

function build(config: Config, folder: string): Finding {
  const differing = settingsThatDiffer(config, folder);
  if (differing === undefined) {
    return fault(
      "build",
      "빌드가 없어 사이트를 시작할 수 없습니다. npm run build를 실행해 주세요.",
    );
  }
  return differing.length === 0
    ? ok("build", "빌드된 화면이 지금 설정과 같습니다.")
    : fault(
        "build",
        `화면이 예전 ${differing.join(", ")} 값으로 빌드되어 있어 시작이 거부됩니다. npm run build를 실행해 주세요.`,
      );
}
