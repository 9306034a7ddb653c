import type { CarrierKind } from "#lib/channels/carrier.ts";
import { examineSms } from "#lib/channels/sms/preflight.ts";
import { openSms } from "#lib/channels/sms/twilio.ts";

/** The text message. */
export const sms: CarrierKind = {
  places: 8,
  settings:
    "SMS_TO, TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_FROM(또는 TWILIO_MESSAGING_SERVICE_SID)",
  open: ({ sms: own }) => own && openSms(own),
  examine: async ({ sms: own }) => own && examineSms(own),
  arrived: ({ outcome, passedOn }) =>
    outcome === "delivered"
      ? "문자가 휴대폰에 도착했습니다."
      : passedOn
        ? "문자를 통신사에 넘겼습니다."
        : "Twilio가 문자를 받았고 아직 보내는 중입니다.",
  lookFor:
    "휴대폰에서 확인해 주세요. 문자 앞에는 [국제발신]이나 [Web발신]이, 번호 앞에는 006이나 009가 붙습니다. 보이지 않으면 스팸 보관함을 열어 보시고, 통신사의 국제발신 차단과 휴대폰의 스팸 차단을 풀어 주세요. 온 번호를 연락처에 저장해 두시면 다음부터 걸러지지 않습니다. 이 번호로 답장은 보낼 수 없습니다.",
};
