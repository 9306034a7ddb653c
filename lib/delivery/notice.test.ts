import { expect } from "vitest";
import { test } from "#testing/delivery/rig.ts";
import { anApplication } from "#testing/storage/temporary-store.ts";

test("the subject of a mail says why it comes beside a text or instead of one", async ({ rig }) => {
  await rig.restartWorker();
  await rig.deliverNew({ route: "mail" });
  rig.twilio.next({ status: 400, code: 21211 });
  await rig.deliverNew();
  await rig.deliverNew({ application: anApplication({ message: "가".repeat(500) }) });
  await rig.restartWorker(undefined, { hourly: 1, daily: 1 });
  await rig.deliverNew();
  const marks = rig.applicationMailSubjects().map((subject) => /^\[(.+?)\]/.exec(subject)?.[1]);
  expect(marks).toEqual([undefined, "문자 대신", "전체 내용", "문자 한도"]);
});
