import { afterEach, beforeEach, expect, test } from "vitest";
import { examineClock } from "#cli/doctor/clock.ts";
import { TwilioPeer } from "#testing/peers/twilio-peer.ts";

const MINUTE = 60_000;
let peer: TwilioPeer;
beforeEach(async () => {
  peer = new TwilioPeer();
  await peer.start();
});
afterEach(() => peer.stop());

test("it agrees with the provider's, or there is nobody to ask", async () => {
  expect(await examineClock({ provider: peer.url, newestAt: undefined })).toMatchObject({
    level: "ok",
    sentence: "서버 시계가 맞습니다.",
  });
  expect((await examineClock({ provider: undefined, newestAt: Date.now() })).level).toBe("ok");
});

test.each([
  [5 * MINUTE, "서버 시계가 5분 느립니다."],
  [-5 * MINUTE, "서버 시계가 5분 빠릅니다."],
])("the provider's is %i ms ahead", async (skew, told) => {
  peer.clockSkewMs = skew;
  const finding = await examineClock({ provider: peer.url, newestAt: undefined });
  expect(finding).toMatchObject({
    level: "fault",
    sentence: `${told} 서버의 시간 동기화를 켜 주세요(timedatectl set-ntp true).`,
  });
});

test("it is behind the latest application", async () => {
  const newestAt = Date.now() + 60 * MINUTE;
  expect(await examineClock({ provider: undefined, newestAt })).toMatchObject({
    level: "fault",
    sentence: expect.stringMatching(/^서버 시계가 마지막 신청보다 60분 뒤처져 있습니다\. /),
  });
});
