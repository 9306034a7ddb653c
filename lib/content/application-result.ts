export const receivedCopy = {
  title: "신청이 접수되었습니다",
  text: "적어 주신 [번호({phone})로] 연락드리겠습니다.",
  number: "접수번호",
  time: "접수 시각",
  summary: "신청 내용",
  sms: "문자로도 보내기",
} as const;

/** The panel that replaces the form on /contact while the application is queued on this device. */
export const queuedCopy = {
  title: "신청서를 이 기기에⏎m 보관했습니다",
  text: "{cause} 아직 보내지 못했습니다. {whenSent} [(오프라인 모드)]",
  cause: {
    connection: "연결에 문제가 있어",
    busy: "지금 신청이 몰리고 있어",
    unavailable: "지금은 접수가 되지 않아",
    unknown: "",
  },
  number: "임시 번호",
  time: "보관 시각",
  summary: "문자로 보낼 내용",
  sms: "문자로 보내기",
} as const;

/** The time of sending depends on what the browser does after the site's last page is closed. */
export const whenSentTexts = {
  background: "다시 연결되면 [이 기기에서] [자동으로 보냅니다.]",
  visit:
    "다시 연결되면 [자동으로 보냅니다.] 화면을 닫으셨다면 [같은 앱에서] 이 사이트를 [다시 열 때 보냅니다.]",
  privateWindow:
    "다시 연결되면 [자동으로 보냅니다.] 이 창을 닫으시면 [신청서가 지워지니,] 닫기 전에 [문자로 보내 주세요.]",
} as const;

export const detailsLabel = "자세히";

export const copyMessageButton = {
  copy: "내용 복사",
  copied: "복사했습니다",
  byHand: "내용을 선택했습니다. 길게 누르거나 Ctrl+C로 복사해 주세요.",
} as const;

export const panelCopy = {
  count: "{n}초 뒤 빈 신청서로 돌아갑니다",
  stay: "이 화면 계속 보기",
  fresh: "새 신청서 쓰기",
} as const;

/** The receipt in a notice, in the toast, and in the status line of a form. */
export const receiptCopy = {
  title: "접수되었습니다",
  /** Shown for an application that the device had queued. */
  sent: "보관했던 신청서가 접수되었습니다.",
  number: "접수번호",
} as const;

/** The device need not have stored an application that the server refused, so the text does not mention the device. */
export const refusalCopy = {
  title: "아직 접수되지 않았습니다.",
  text: "표시된 항목을 고쳐서 [다시 보내 주세요.]",
} as const;

/** The box after an application could not be sent. dialogFailureCopy has the texts that differ in the dialog. */
export const failureCopy = {
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

/** The box in the dialog after an application could not be sent. */
export const dialogFailureCopy = {
  title: "연수 신청 처리 중 [오류가 발생했습니다.] [다시 시도해 주세요.]",
  /** Shown while the application is queued on this device. */
  kept: "적어 주신 내용은 [이 기기에 보관했습니다.] {whenSent}",
  /** Shown while the form differs from the queued application, which is then locked for editing. */
  changed:
    "고치신 내용은 [아직 보내지 않았습니다.] [다시 보내기를 누르시거나] [이 창을 닫으시면] 보냅니다.",
} as const;
