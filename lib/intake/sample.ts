/** For tests: what a client sends. */
export const FIELDS = {
  name: "홍길동",
  phone: "010-1234-5678",
  gender: "여성",
  age: 32,
  region: "이천",
  preferredDate: "2026-12-01",
  dayType: "평일",
  timeSlot: "오전",
  carType: "자차",
  message: "",
};
