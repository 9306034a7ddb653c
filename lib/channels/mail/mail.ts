import type { CarrierKind } from "#lib/channels/carrier.ts";
import { examineMail } from "#lib/channels/mail/preflight.ts";
import { openMail } from "#lib/channels/mail/smtp.ts";

/** The mail. */
export const mail: CarrierKind = {
  places: 4,
  settings: "SMTP_URL, MAIL_FROM, MAIL_TO",
  open: ({ mail: own, siteUrl }) => own && openMail(own, siteUrl),
  examine: async ({ mail: own, siteUrl }) => own && examineMail(own, { siteUrl }),
  arrived: () => "메일 서버가 메일을 받았습니다.",
  lookFor:
    "메일함에서 확인해 주세요. 보이지 않으면 스팸함을 열어 보시고, 보내는 주소를 연락처에 추가해 두시면 다음부터 걸러지지 않습니다.",
};
