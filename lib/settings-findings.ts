import { lacksRequiredTls } from "#lib/addresses.ts";
import { formatPhone } from "#lib/application/phone.ts";
import { koreanDateTime } from "#lib/application/seoul-time.ts";
import { PROVIDER_CHANNELS } from "#lib/channels/names.ts";
import { CHANNEL_DEFINITIONS, fileChannelFolder } from "#lib/channels/registry.ts";
import { CHANNEL_WORDS, NEITHER_CHANNEL_WORDS } from "#lib/channels/words.ts";
import { BUSINESS_SETTINGS, type Config } from "#lib/config.ts";
import { business, SAMPLE_BUSINESS_NAME } from "#lib/content/business.ts";
import { sampleScenes } from "#lib/content/gallery-page.ts";
import { joinWithAnd, withMeansParticle, withTopicParticle } from "#lib/content/korean-words.ts";
import { camelName } from "#lib/environment.ts";
import { type Finding, findingCreators } from "#lib/finding.ts";
import {
  PHOTO_MAX_KILOBYTES,
  type PhotoFault,
  readInstructorPhoto,
} from "#lib/instructor-photo.ts";
import { isLocalSite } from "#lib/site-address.ts";
import type { Note } from "#lib/storage/queries/notes.ts";

const deliveryFindingCreators = findingCreators("delivery");
const proxyFindingCreators = findingCreators("proxy");
const pagesFindingCreators = findingCreators("pages");

export function settingsFindings(config: Config, cdnNote?: Note): Finding[] {
  return [
    ...config.warnings.map((warning) => findingCreators("settings").warn(warning)),
    ...channelFindings(config),
    ...phoneFindings(config),
    ...proxyFindings(config, cdnNote),
    lacksRequiredTls(config.databaseUrl ?? "") &&
      findingCreators("storage").warn(
        "DATABASE_URL에 TLS 설정이 없어 신청이 데이터베이스 서버까지 암호화되지 않고 오갑니다. 주소 끝에 ?sslmode=verify-full을 붙여 주세요.",
      ),
    ...pageFindings(config),
  ].filter((finding) => finding !== false);
}

function channelFindings(config: Config): Finding[] {
  const absent = PROVIDER_CHANNELS.filter((name) => config[name] === undefined);
  if (absent.length === PROVIDER_CHANNELS.length) {
    const folder = fileChannelFolder(config);
    const needed = PROVIDER_CHANNELS.map(
      (name) =>
        `${withTopicParticle(CHANNEL_WORDS[name])} ${CHANNEL_DEFINITIONS[name].settingNames}를`,
    );
    const sentence = `${NEITHER_CHANNEL_WORDS} 설정되지 않아 신청이 파일로만 쌓이고(${folder}) 아무에게도 알려지지 않습니다. ${needed.join(", ")} .env에 넣어 주세요.`;
    return [deliveryFindingCreators.unset(sentence)];
  }
  const present = PROVIDER_CHANNELS.filter((name) => config[name] !== undefined);
  const words = present.map((name) => CHANNEL_WORDS[name]);
  return [
    deliveryFindingCreators.ok(`신청은 ${joinWithAnd(words, withMeansParticle)} 나갑니다.`),
    ...(present.length > 1 ? [] : absent).map((name) => {
      const word = CHANNEL_WORDS[name];
      const sentence = `${word} 설정이 없어 모든 신청이 다른 방법으로만 가고, 그것도 막히면 알릴 수 없습니다. ${word}도 쓰시려면 ${CHANNEL_DEFINITIONS[name].settingNames}를 .env에 넣어 주세요.`;
      return findingCreators(name).warn(sentence);
    }),
  ];
}

/** Korean mobile numbers start with 010. Foreign numbers count as mobile. */
const isMobile = (phone: string) => /^(\+8210|\+(?!82)|010)/.test(phone);

function phoneFindings({ inquiryPhone, sms }: Config) {
  const landlines = (sms?.to ?? []).filter((phone) => !isMobile(phone)).map(formatPhone);
  // A Korean mobile number is never one of Twilio's, so it cannot be the sender.
  const from = sms && "from" in sms.sender ? sms.sender.from : undefined;
  return [
    inquiryPhone === business.inquiryPhone &&
      pagesFindingCreators.unset(
        `문의 전화가 예시 번호 ${inquiryPhone}입니다. .env의 INQUIRY_PHONE에 실제 번호를 넣고 다시 시작해 주세요.`,
      ),
    !isMobile(inquiryPhone) &&
      pagesFindingCreators.warn(
        `문의 전화 ${withTopicParticle(inquiryPhone)} 휴대폰 번호가 아니어서, 페이지의 문자 버튼으로 보낸 문자를 받지 못할 수 있습니다. 문자를 받는 번호인지 확인하거나 INQUIRY_PHONE을 휴대폰 번호로 바꿔 주세요.`,
      ),
    landlines.length > 0 &&
      findingCreators("sms").fault(
        `SMS_TO의 ${withTopicParticle(landlines.join(", "))} 휴대폰 번호가 아니어서 신청 문자를 받지 못합니다. 휴대폰 번호로 바꿔 주세요.`,
      ),
    from !== undefined &&
      (from.startsWith("+8210") || sms?.to.includes(from) === true) &&
      findingCreators("sms").fault(
        `TWILIO_FROM의 ${withTopicParticle(formatPhone(from))} Twilio에서 받은 번호가 아닙니다. Twilio 콘솔의 Phone Numbers에 있는 번호를 넣어 주세요.`,
      ),
  ];
}

/** A CDN's header names another address for the visitor than the site has found by PUBLIC_PROXIES. */
export interface CdnMismatch {
  header: string;
  publicProxies: number;
  /** The value of PUBLIC_PROXIES with which both addresses would be the same; -1 if there is none. */
  needed: number;
}

export function cdnFinding({ header, publicProxies, needed }: CdnMismatch, at: number): Finding {
  const remedy =
    needed < 0
      ? "앞의 프록시(Caddy, nginx)가 받은 X-Forwarded-For를 이어서 보내게 해 주세요."
      : `.env에 PUBLIC_PROXIES=${needed}이라고 적고 다시 시작해 주세요.`;
  return proxyFindingCreators.warn(
    `PUBLIC_PROXIES가 ${publicProxies}인데 ${header} 헤더가 다른 방문자 주소를 말하는 요청이 있었습니다(${koreanDateTime(at)}). Cloudflare 같은 서비스를 앞에 두었다면 여러 방문자가 한 사람으로 계산되고 있습니다. ${remedy} 두지 않았다면 누군가 꾸며 보낸 헤더이니 그대로 두셔도 됩니다.`,
  );
}

function proxyFindings({ publicProxies, hostname }: Config, note?: Note) {
  const mismatch: CdnMismatch | undefined = note && JSON.parse(note.value);
  const isOpen = hostname === "0.0.0.0" || hostname === "::";
  return [
    // A note about an earlier value of the setting says nothing about the present value.
    note && mismatch?.publicProxies === publicProxies && cdnFinding(mismatch, note.at),
    publicProxies > 0 &&
      isOpen &&
      proxyFindingCreators.warn(
        "앞에 둔 서비스를 거치지 않고도 접속할 수 있으면 방문자 주소를 속일 수 있습니다. 방화벽에서 그 서비스의 주소만 허용해 주세요.",
      ),
  ].filter((finding) => finding !== undefined);
}

function pageFindings(config: Config) {
  const { siteUrl, academyRegistration } = config;
  const isLocal = isLocalSite(siteUrl);
  const missing = BUSINESS_SETTINGS.filter((name) => config[camelName(name)] === undefined);
  const facts = missing.filter((name) => name !== "ACADEMY_REGISTRATION");
  const titles = sampleScenes.map(({ title }) => title).join(", ");
  return [
    isLocal &&
      pagesFindingCreators.unset(
        `SITE_URL이 ${siteUrl}이어서 검색 결과와 카카오톡 미리보기가 없는 주소를 가리킵니다. .env에 방문자가 쓰는 주소를 넣고 다시 시작해 주세요.`,
      ),
    !isLocal &&
      !siteUrl.startsWith("https:") &&
      pagesFindingCreators.fault(
        "SITE_URL이 https가 아니어서 신청자의 개인정보가 암호화되지 않고 오갑니다. 인증서를 설치하고 https 주소로 바꿔 주세요.",
      ),
    business.name === SAMPLE_BUSINESS_NAME &&
      pagesFindingCreators.warn(
        `${withTopicParticle(business.name)} 예시로 지은 상호입니다. lib/content/business.ts의 name에 우리 상호를 적고 다시 빌드해 주세요. BUSINESS_NAME에는 사업자등록증의 상호를 넣습니다.`,
      ),
    facts.length > 0 &&
      pagesFindingCreators.warn(
        `비어 있는 사업자 정보: ${facts.join(", ")}. 전자상거래법·개인정보 보호법이 요구하거나 방문자가 찾는 정보이니 .env에 넣고 다시 시작해 주세요.`,
      ),
    academyRegistration === undefined &&
      pagesFindingCreators.warn(
        "학원 등록번호가 없습니다. 도로교통법 제116조는 등록하지 않고 돈을 받는 운전교육을 금지합니다. 등록한 학원이면 .env의 ACADEMY_REGISTRATION에 번호를 넣고 다시 시작해 주세요.",
      ),
    instructorFinding(config),
    sampleScenes.length > 0 &&
      pagesFindingCreators.warn(
        `갤러리의 그림 ${sampleScenes.length}장이 예시입니다(${titles}). lib/content/gallery-page.ts에서 실제 사진으로 바꿔 주세요.`,
      ),
  ];
}

const PHOTO_TOO_LARGE = `너무 커서(${PHOTO_MAX_KILOBYTES}KB까지) 페이지에 나오지 않습니다. 휴대폰에서 카카오톡 ‘나와의 채팅’에 일반 화질로 보내고 다시 저장하면 작아집니다.`;

const PHOTO_FAULTS: Readonly<Record<PhotoFault, string>> = {
  missing: "데이터 폴더에 없어 페이지에 나오지 않습니다. DATA_DIR 폴더에 그 이름으로 넣어 주세요.",
  unreadable:
    "읽을 수 없어 페이지에 나오지 않습니다. 사이트를 실행하는 사용자가 DATA_DIR 폴더와 그 파일을 읽을 수 있게 해 주세요.",
  heavy: PHOTO_TOO_LARGE,
  format:
    "JPEG, PNG, WebP가 아니어서 페이지에 나오지 않습니다. 아이폰의 HEIC는 카카오톡 ‘나와의 채팅’에 보내고 다시 저장하면 JPEG가 됩니다.",
};

function instructorFinding(config: Config): Finding | false {
  if (!config.instructorName)
    return pagesFindingCreators.warn(
      "강사의 이름이 없어 홈과 연수 비용에 강사 소개가 나오지 않습니다. 처음 온 분은 옆자리에 누가 앉는지부터 궁금해합니다. .env의 INSTRUCTOR_NAME, INSTRUCTOR_WORDS, INSTRUCTOR_PHOTO에 적고 다시 시작해 주세요.",
    );
  const photo = readInstructorPhoto(config);
  return (
    typeof photo === "string" &&
    pagesFindingCreators.warn(
      `INSTRUCTOR_PHOTO의 ${withTopicParticle(config.instructorPhoto ?? "")} ${PHOTO_FAULTS[photo]} 바꾼 뒤 다시 시작해 주세요.`,
    )
  );
}
