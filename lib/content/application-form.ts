/** What the two application forms say. */
export const applicationForm = {
  title: "연수 신청서",
} as const;
