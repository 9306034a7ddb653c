/** The receipt: in the panel, in a notice box and in the toast. */
export const receiptTexts = {
  title: "신청이 접수되었습니다",
  text: "적어 주신 [번호({phone})로] 연락드리겠습니다.",
  number: "접수번호",
  time: "접수 시각",
  summary: "신청 내용",
  sms: "문자로도 보내기",
} as const;

/**
 * Promises only what holds in every browser: some send earlier, Safari deletes the data of a site that has not been
 * used for seven days, and a private window (시크릿 창) loses its data.
 */
export const afterClosingText =
  "[화면은 닫으셔도 됩니다.] [일주일 안에] [같은 앱에서] [이 사이트를] [한 번 더 열어 주세요.] [늦어도 그때는 보냅니다.] [다만 시크릿 창을 닫으시면] [신청서도 지워집니다.]";

/** The panel that replaces the form on /contact while this device keeps the application. */
export const keptApplicationTexts = {
  title: "신청서를 이 기기에⏎m 보관했습니다",
  text: `{cause} ${afterClosingText}`,
  cause: {
    connection:
      "연결에 문제가 있어 [아직 보내지 못했습니다(오프라인 모드).] [다시 연결되면] [자동으로 보냅니다.]",
    busy: "지금 신청이 몰리고 있어 [아직 보내지 못했습니다(오프라인 모드).] [잠시 뒤] [자동으로 다시 보냅니다.]",
    unavailable:
      "지금은 접수가 되지 않아 [아직 보내지 못했습니다(오프라인 모드).] [잠시 뒤] [자동으로 다시 보냅니다.]",
    unknown: "아직 보내지 못했습니다(오프라인 모드). [잠시 뒤] [자동으로 다시 보냅니다.]",
  },
  number: "임시 번호",
  time: "보관 시각",
  sms: "문자로 보내기",
} as const;

export const editLabel = "고치기";

export const detailsLabels = { open: "자세히", close: "접기" } as const;

export const copyContentLabels = {
  copy: "내용 복사",
  copied: "복사했습니다",
  byHand: "내용을 선택했습니다. 길게 누르거나 Ctrl+C로 복사해 주세요.",
} as const;

export const panelCountdownTexts = {
  count: "{n}초 뒤 빈 신청서로 돌아갑니다",
  stay: "이 화면 계속 보기",
  fresh: "새 신청서 쓰기",
} as const;

/** Does not mention the device, which may not have stored the application that the server refused. */
export const refusalTexts = {
  title: "아직 접수되지 않았습니다.",
  text: "표시된 항목을 고쳐서 [다시 보내 주세요.]",
} as const;

/** The box after an application could not be sent. application-dialog.ts has the texts that differ in the dialog. */
export const submissionFailureTexts = {
  title: "오류가 발생했습니다",
  unknown: "알 수 없는 오류가 발생했습니다.",
  connection: "연결에 문제가 있어 보내지 못했습니다.",
  offline: "신청은 오프라인 모드로 [처리됩니다.] 신청 내용을 [문자로 보내 주셔야] [접수됩니다.]",
  again: "다시 보내기",
  sms: "문자로 신청하기",
  call: "전화로 신청하기",
  /** In-app browsers may not open the link that sends a text message. */
  byHand: "문자 앱이 열리지 않으면 [{phone} 번호로] [신청 내용을] 보내 주세요.",
} as const;
