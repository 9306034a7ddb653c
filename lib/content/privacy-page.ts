/**
 * The text of /privacy. policy.ts fills in the `{placeholders}`: settings, and values of app/privacy/page.tsx.
 * Change the text and its date whenever the site uses personal data in another way.
 */
import { FIELD_NAMES, FIELDS, OPTIONAL_FIELDS } from "#lib/application/fields.ts";
import { applicationFormTexts, optionalFieldLabelsText } from "#lib/content/application-form.ts";
import { withTopicParticle } from "#lib/content/korean-words.ts";
import type { PolicySection } from "#lib/content/policy.ts";

const fieldLabelsText = FIELD_NAMES.map((field) =>
  OPTIONAL_FIELDS.includes(field)
    ? `${FIELDS[field].label}${applicationFormTexts.optional}`
    : FIELDS[field].label,
).join(", ");

export const privacyPage = {
  description:
    "연수 신청을 받을 때 수집하는 개인정보의 항목과 이용 목적, 보유 기간, 신청하신 분의 권리와 문의할 곳을 안내합니다.",
  title: "개인정보 처리방침",
  lead: "연수 신청을 받으면서 어떤 정보를 왜 받고, 어디에 두고, 언제 지우는지 적었습니다.",
  effective:
    "이 방침은 [{date}부터] 시행합니다. 내용이 바뀌면 [이 페이지에] 알리고 시행일을 고칩니다.",
  encrypted: "암호화된 연결(HTTPS)",
  /** The day of the last change, which the setting PRIVACY_DATE replaces. */
  date: "2026-11-30",
} as const;

export const policySections: readonly PolicySection[] = [
  {
    heading: "개인정보를 처리하는 곳",
    intro:
      "이 방침은 {name}[(이하 ‘사업자’)의] 사이트에서 연수 신청서로 받는 개인정보에 적용합니다.",
    lines: [
      "상호 | {businessName}",
      "대표 | {businessOwner}",
      "사업자등록번호 | {businessRegistration}",
      "주소 | {businessAddress}",
    ],
  },
  {
    heading: "수집하는 항목",
    lines: [
      `신청서에 적어 주시는 정보: ${fieldLabelsText}`,
      "신청이 접수될 때 만들어지는 정보: 접수번호, 접수 시각",
      "접속 주소(IP)는 짧은 시간에 몰리는 요청을 막는 데에만 쓰고, 신청 정보와 함께 저장하지 않습니다.",
      "일부 사진은 {photoHost}에서 불러옵니다. 그 사진을 보실 때 접속 주소(IP)와 브라우저의 종류가 그곳에 전달되고, 신청서에 적으신 내용은 전달되지 않습니다.",
      "회원 가입이 없으며, 광고나 방문 분석을 위한 쿠키를 쓰지 않습니다.",
      "자바스크립트를 쓰지 않는 브라우저로 신청하시면 결과를 보여 드리기 위해 적어 주신 내용을 그 브라우저의 쿠키에 30분 동안만 보관합니다.",
    ],
  },
  {
    heading: "이용 목적",
    intro:
      "연수 상담과 연수 신청 처리(신청 확인, 연락, [일정 조율)를] 위해 이용합니다. 다른 목적으로는 이용하지 않습니다.",
  },
  {
    heading: "처리의 법적 근거",
    intro:
      "개인정보 보호법 제15조 제1항 제4호에 따라, 신청하신 분의 요청으로 연수 계약을 맺는 과정에 필요한 정보를 처리합니다. 그래서 따로 동의를 받지 않습니다.",
  },
  {
    heading: "보유 기간과 파기",
    lines: [
      "사업자에게 전달된 신청은 전달된 날부터 [{retentionDays}일이] 지나면 삭제합니다.",
      "아직 전달되지 않은 신청은 전달될 때까지 보관합니다.",
      "보유 기간이 지난 신청은 데이터베이스에서 자동으로 삭제합니다.",
      "이 사이트가 만든 데이터베이스의 백업은 [{backupDays}일이] 지나면 자동으로 삭제합니다.",
      "사업자가 받은 내용은 휴대전화나 메일함에 남아 있을 수 있습니다. 삭제를 요청하시면 함께 삭제합니다.",
      "다른 법령에서 보관하도록 정한 정보는 그 기간 동안 보관합니다.",
    ],
  },
  {
    heading: "신청하신 기기에 보관하는 정보",
    intro: "아래 정보는 쓰고 계신 브라우저에만 보관하며, 다른 기기에서는 볼 수 없습니다.",
    lines: [
      "적다가 보내지 않은 신청서: 이어서 쓰실 수 있도록 [쓰시던 탭을 닫으실 때까지] 보관합니다. 적으신 내용을 모두 지우시면 바로 삭제됩니다.",
      "아직 보내지 못한 신청서: [접수될 때까지] 보관하고, 접수되면 삭제합니다. 그만두시려면 화면의 ‘삭제’를 눌러 주세요. 바로 삭제되고, 더는 보내지 않습니다.",
      "접수된 신청의 접수번호와 접수 시각: 화면에서 닫으실 때까지 보관하고, 닫지 않으셔도 [{receiptDays}일이] 지난 뒤 이 사이트를 다시 여시면 삭제합니다. 이름이나 전화번호는 들어 있지 않습니다.",
      "브라우저 설정에서 이 사이트의 데이터를 지우시면 위의 정보가 모두 삭제됩니다. 이 사이트를 7일 동안 쓰지 않으시면 데이터를 스스로 지우는 브라우저(예: Safari)도 있습니다.",
    ],
  },
  {
    heading: "전달과 제공",
    lines: [
      "접수한 신청은 사업자에게 전달합니다.",
      "신청하신 분이 따로 동의하셨거나 법률에 정해진 경우가 아니면 다른 곳에 제공하지 않습니다.",
    ],
  },
  {
    heading: "개인정보 처리의 위탁",
    needs: "processors",
    intro: "신청을 받고 전달하는 데 필요한 일을 아래 회사에 맡기고 있습니다.",
    lines: ["메일 발송 | {privacyMailProcessor}", "서버 운영 | {privacyHostProcessor}"],
  },
  {
    heading: "문자 발송 위탁과 국외 이전",
    needs: "sms",
    intro:
      "신청 내용을 사업자의 휴대전화에 문자로 알릴 때에는 그 발송을 아래 회사에 맡깁니다. 신청하신 분과 계약을 맺고 [이행하는 데] 필요한 위탁이므로 개인정보 보호법 제28조의8 제1항 제3호에 따라 이 방침으로 알립니다.",
    lines: [
      "이전받는 곳 | Twilio Inc. (privacy@twilio.com)",
      "이전되는 국가 | 미국",
      "위탁 업무 | 문자 메시지 발송",
      "항목 | 이름, 전화번호와 신청 내용",
      "시기와 방법 | 신청을 문자로 알릴 때 통신망으로 전송",
      "보유 기간 | 문자 발송 기록에 관한 Twilio의 보관 정책에서 정한 기간",
      "거부하시는 방법 | 신청서를 보내지 않고 [전화({inquiryPhone})로] 신청하시면 됩니다. 연수를 받으시는 데 불이익은 없습니다.",
    ],
  },
  {
    heading: "신청하신 분의 권리",
    lines: [
      "본인의 개인정보를 열람하거나 고치고, 지우고, 처리를 멈추도록 언제든지 요구하실 수 있습니다. 대리인을 통해서도 요구하실 수 있습니다.",
      "전화나 [문자({inquiryPhone})로] 요청해 주세요.",
      "이메일([{businessEmail}])로도 요청하실 수 있습니다.",
      "접수번호를 함께 알려 주시면 빨리 찾을 수 있습니다. 본인인지 확인한 뒤 법령이 정한 기간 안에 처리하고 결과를 알려 드립니다.",
    ],
  },
  {
    heading: "제공을 거부할 권리",
    intro: `신청서의 정보를 제공하지 않으셔도 됩니다. 그러면 신청서를 접수할 수 없지만, 전화나 문자로 상담하실 수 있습니다. ${withTopicParticle(optionalFieldLabelsText)} 비워 두셔도 접수됩니다.`,
  },
  {
    heading: "안전을 위한 조치",
    lines: [
      "신청서는 {encrypted}로 전송합니다.",
      "서버 기록(로그)에 이름, 전화번호, 신청 내용을 남기지 않습니다.",
      "인터넷에서 신청 정보를 볼 수 있는 관리 화면을 두지 않으며, 서버를 운영하는 사람만 저장된 정보에 접근합니다.",
    ],
  },
  {
    heading: "개인정보 보호책임자와 문의",
    intro: "개인정보에 관한 문의와 요청은 아래로 해 주세요.",
    lines: ["보호책임자 | {businessOwner}", "전화 | {inquiryPhone}", "이메일 | {businessEmail}"],
  },
  {
    heading: "도움을 받을 수 있는 기관",
    intro: "개인정보 침해에 관한 상담이나 신고는 아래 기관에서도 하실 수 있습니다.",
    lines: [
      "개인정보분쟁조정위원회 | [1833-6972] (www.kopico.go.kr)",
      "개인정보침해신고센터 | [118] (privacy.kisa.or.kr)",
      "대검찰청 | [1301] (www.spo.go.kr)",
      "경찰청 | [182] (ecrm.police.go.kr)",
    ],
  },
];
