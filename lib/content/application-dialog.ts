export const receivedToast = { toast: "연수 신청이 성공적으로 접수되었습니다!" } as const;

/** The toast after the visitor has closed a dialog whose application was not received. */
export const closedDialogToasts = {
  queued: "신청서를 [아직 보내지 못해] [이 기기에 보관했습니다.]",
  "not-queued": "신청서를 [보내지 못했습니다.] 적어 주신 내용은 [신청서에 그대로 있습니다.]",
} as const;
