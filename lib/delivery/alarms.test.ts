import { expect } from "vitest";
import { HOUR, MINUTE } from "#lib/application/durations.ts";
import { test } from "#testing/delivery/engine-with-peers.ts";
import { aNewApplication, openTemporaryStore } from "#testing/storage/temporary-store.ts";

test("an alarm that could not be sent at first names the present fault", async ({ engine }) => {
  engine.smtp.always({ sender: 451 });
  await engine.startWorker();
  for (const code of [20003, 20005]) {
    engine.twilio.always({ status: 401, code });
    await engine.deliverNew();
  }
  engine.smtp.always(undefined);
  await engine.advance(MINUTE);
  const about = engine
    .alarmsMailed()
    .map(({ parsed }) => parsed.text?.match(/인증 토큰|잔액/)?.[0]);
  expect(about).toEqual(["잔액"]);
});

test("two refused messages raise an alarm about the channel [81]", async ({ engine }) => {
  engine.smtp.always({ data: 550 });
  await engine.startWorker();
  await engine.deliverNew({ route: "mail" });
  await engine.advance(MINUTE);
  expect(engine.applicationsMailed()).toEqual([]);
  await engine.deliverNew({ route: "mail" });
  await engine.advance(MINUTE);
  const told = engine.twilio.messages.filter(({ body }) =>
    /메일을 보내지 못하고.+ 문자로 보내/.test(body),
  );
  expect(told).toHaveLength(1);
  expect(engine.alarmsMailed()).toEqual([]);
});

test("the first alarm after the restore of a backup has a new Message-ID", async ({ engine }) => {
  engine.twilio.always({ status: 401, code: 20003 });
  await using restored = openTemporaryStore();
  for (const { store } of [engine.database, restored]) {
    await engine.startWorker(undefined, undefined, { store });
    await store.accept(aNewApplication({ now: engine.now }));
    await engine.advance(HOUR);
    await engine.runUntilIdle();
  }
  expect(new Set(engine.alarmsMailed().map(({ parsed }) => parsed.messageId)).size).toBe(2);
});
