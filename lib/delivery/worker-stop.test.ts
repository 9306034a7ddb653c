import { describe, expect, test } from "vitest";
import {
  apply,
  DEFAULT_CAPS,
  expectCounts,
  home,
  slowMail,
  start,
  twilio,
  worker,
} from "#testing/engine-with-peers.ts";

describe("a stop", () => {
  test("waits for the send under way", async () => {
    const slow = slowMail();
    await start({ mail: slow.carrier }, DEFAULT_CAPS, {
      pause: (_ms, signal) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
    });
    await apply({ route: "mail" });
    await worker.turn();
    await slow.begun;
    const stopped = worker.stop();
    slow.end();
    await stopped;
    await expectCounts({ done: 1 });
    expect(worker.status().state).toBe("stopped");
  });

  test("cuts off a send that hangs: it may be out, and counts as no failed try", async () => {
    const slow = slowMail();
    await start({ mail: slow.carrier });
    await apply({ route: "mail" });
    await worker.turn();
    await slow.begun;
    await worker.stop();
    const [application] = await home.store.list({});
    const found = await home.store.find(application?.applicationId ?? "");
    expect(found).toMatchObject({ state: "open", tries: 0, sends: [{ outcome: "unknown" }] });
    expect(await home.store.failing({ mail: [] })).toEqual([]);
  });

  test("begins nothing new", async () => {
    await start();
    await worker.stop();
    await apply();
    worker.wake();
    expect(twilio.requests).toBe(0);
  });
});
