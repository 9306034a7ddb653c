import { expect, test } from "vitest";
import { parseMailbox, parseMailboxes } from "#lib/channels/mail/address.ts";

const HANGUL = "site@xn--9p4b93e.xn--3e0b707e";

test.each([
  ["a@b.kr", "", "a@b.kr"],
  [" <a@b.kr> ", "", "a@b.kr"],
  ["신청 알림<a@b.kr>", "신청 알림", "a@b.kr"],
  ["차근차근: 운전연수 <a@b.kr>", "차근차근: 운전연수", "a@b.kr"],
  ["차근차근, 운전연수; (이천) <a@b.kr>", "차근차근, 운전연수; (이천)", "a@b.kr"],
  ['"차근, <연수> \\"이천\\"" <a@b.kr>', '차근, <연수> "이천"', "a@b.kr"],
  ["이름 <a@b.kr", "이름", "a@b.kr"],
  ["a @ b.kr", "", "a@b.kr"],
  ["알림 <site@연수。한국>", "알림", HANGUL],
  ["site@XN--9P4B93E.xn--3e0b707e", "", HANGUL],
  ["r&d.o'neil+tag@sub.b-c.co.kr", "", "r&d.o'neil+tag@sub.b-c.co.kr"],
  ["Owner@Naver.COM", "", "Owner@naver.com"],
  ["site@localhost", "", "site@localhost"],
])("the text %j is parsed as one mailbox", (text, name, address) => {
  expect(parseMailbox(text)).toEqual({ name, address });
});

const REFUSED_MAILBOXES = [
  ...["", "이름", "이름 <a@b.kr> <c@d.kr>", "팀: a@b.kr, c@d.kr;"],
  ...["a@b.kr, c@d.kr", "a@b.kr, c@d.kr <e@f.kr>", "신청 <a@>", "신청 <@b.kr>"],
  ...["신청 <>", '"신청 <a@b.kr>', "신청\r\nBcc: x <a@b.kr>", "a b@c.kr"],
  ...["a@b@c.kr", "mailto:a@b.kr", "연수@naver.com", "a..b@c.kr", ".a@b.kr", "a@naver"],
  ...["a@b..kr", "a@b.kr.", "a@b_c.kr", "a@1.2.3.4", "a@b.kr:25"],
  '"a@b.kr" <c@d.kr>',
];
test.each(REFUSED_MAILBOXES)("the text %j is refused as a mailbox", (text) => {
  expect(parseMailbox(text)).toBeUndefined();
});

test.each<[string, string[] | undefined]>([
  ["a@b.kr", ["a@b.kr"]],
  ["a@b.kr,c@d.kr , 사장 <e@연수.한국>,", ["a@b.kr", "c@d.kr", "e@xn--9p4b93e.xn--3e0b707e"]],
  ['"홍, 길동" <a@b.kr>, c@d.kr', ["a@b.kr", "c@d.kr"]],
  ["a@b.kr, c@", undefined],
  ["a@b.kr; c@d.kr", ["a@b.kr", "c@d.kr"]],
  ["a@b.kr c@d.kr", undefined],
  [" , ", undefined],
])("the list %j is parsed as the mailboxes %j", (text, addresses) => {
  expect(parseMailboxes(text)?.map(({ address }) => address)).toEqual(addresses);
});
