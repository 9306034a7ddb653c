import { business } from "#lib/content/business.ts";
import { COURSE_HOURS } from "#lib/content/prices.ts";
import { joinRegionNames } from "#lib/content/regions.ts";

export const siteLayoutTexts = {
  skip: "본문으로 바로가기",
  home: `${business.name} 홈`,
  bar: {
    navigation: "주 메뉴",
    phone: "문의 전화",
    /** Screen readers read this before the number in windows under 1024 px, which do not show `phone`. */
    phoneHidden: "전화 문의",
  },
  menu: {
    open: "메뉴 열기",
    close: "메뉴 닫기",
    navigation: "전체 메뉴",
    note: "바로 상담하고 싶으시면",
    sms: "문자 보내기",
  },
  bottom: {
    label: "바로 문의하기",
    call: "전화",
    sms: "문자",
    apply: "신청",
    /** The label on /contact itself, where the button leads down to the form. */
    toForm: "신청서",
  },
} as const;

export const callStripTexts = {
  title: "연수가 궁금하시면⏎m 전화 주세요",
  label: "전화 문의 {phone}",
} as const;

export const footerTexts = {
  about: `면허는 있지만 운전이 두려운 분을 위한 ${COURSE_HOURS}시간 운전연수입니다.`,
  pages: "바로가기",
  regions: "연수 지역",
  regionNames: joinRegionNames(),
  contact: "문의",
  sms: "문자 보내기",
  copyright: `© {year} ${business.name}`,
  facts: [
    { fact: "businessName", label: "상호" },
    { fact: "businessOwner", label: "대표" },
    { fact: "businessRegistration", label: "사업자등록번호" },
    { fact: "academyRegistration", label: "학원 등록번호" },
    { fact: "businessAddress", label: "주소" },
    { fact: "businessEmail", label: "이메일" },
  ],
} as const;
