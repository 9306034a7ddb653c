import { expect } from "vitest";
import { HOUR, MINUTE } from "#lib/application/durations.ts";
import { test } from "#testing/delivery/rig.ts";
import { aNewApplication, openTemporaryStore } from "#testing/storage/temporary-store.ts";

test("an alarm that is sent late names the fault at the time of sending", async ({ rig }) => {
  rig.smtp.always({ sender: 451 });
  await rig.restartWorker();
  for (const code of [20003, 20005]) {
    rig.twilio.always({ status: 401, code });
    await rig.deliverNew();
  }
  rig.smtp.always(undefined);
  await rig.advance(MINUTE);
  const about = rig.alarmsMailed().map(({ parsed }) => parsed.text?.match(/인증 토큰|잔액/)?.[0]);
  expect(about).toEqual(["잔액"]);
});

test("two refused messages raise an alarm about the channel [81]", async ({ rig }) => {
  rig.smtp.always({ data: 550 });
  await rig.restartWorker();
  await rig.deliverNew({ route: "mail" });
  await rig.advance(MINUTE);
  expect(rig.applicationMailSubjects()).toEqual([]);
  await rig.deliverNew({ route: "mail" });
  await rig.advance(MINUTE);
  const told = rig.twilio.messages.filter(({ body }) =>
    /메일을 보내지 못하고.+ 문자로 보내/.test(body),
  );
  expect(told).toHaveLength(1);
  expect(rig.alarmsMailed()).toEqual([]);
});

test("the first alarm after the restore of a backup has a new Message-ID", async ({ rig }) => {
  rig.twilio.always({ status: 401, code: 20003 });
  await using restored = openTemporaryStore();
  for (const { store } of [rig.database, restored]) {
    await rig.restartWorker(undefined, undefined, { store });
    await store.accept(aNewApplication({ now: rig.now }));
    await rig.advance(HOUR);
    await rig.runUntilIdle();
  }
  expect(new Set(rig.alarmsMailed().map(({ parsed }) => parsed.messageId)).size).toBe(2);
});
