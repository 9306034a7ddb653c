import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { GIVE_UP_DAYS, LAST_TRY } from "#lib/delivery/retry.ts";
import type { Pause } from "#lib/delivery/worker.ts";
import { log } from "#lib/log.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { Store } from "#lib/storage/store.ts";
import {
  apply,
  DEFAULT_CAPS,
  deliver,
  employ,
  expectCounts,
  file,
  HOUR,
  home,
  MINUTE,
  mail,
  now,
  pass,
  passInSteps,
  SECOND,
  settle,
  slowMail,
  sms,
  smtp,
  start,
  twilio,
  worker,
} from "#testing/engine-with-peers.ts";

describe("each application reaches the owner", () => {
  test("by the carrier of its form", async () => {
    await start();
    await apply();
    await deliver({ route: "mail" });
    await pass(5 * SECOND);
    await expectCounts({ waiting: 0, done: 2 });
    expect(twilio.messages).toHaveLength(1);
    expect(smtp.mails).toHaveLength(1);
  });

  test("at once when it comes in while the worker sleeps", async () => {
    await start();
    worker.start();
    await expect.poll(() => worker.status().lastTurnAt).toBe(now);
    await apply();
    worker.wake();
    await expect.poll(async () => (await home.store.counts(now)).sent).toBe(1);
    expect(twilio.requests).toBe(1);
  });

  test("not before the time that Twilio names, also when another one gets through meanwhile", async () => {
    twilio.next({ status: 429, headers: { "retry-after": "600" } });
    await start({ sms: sms() });
    await deliver();
    await apply();
    await passInSteps(9 * MINUTE);
    expect(twilio.messages).toHaveLength(1);
    await pass(MINUTE);
    expect(twilio.messages).toHaveLength(2);
  });

  test("or is kept for a person after five days, and is not deleted", async () => {
    const fault = { error: "451", advice: "", about: "channel" } as const;
    const send = async () => [{ outcome: "unsent" as const, fault }];
    await start({ mail: { ...mail(), send } });
    await apply({ route: "mail" });
    await passInSteps(GIVE_UP_DAYS * 24 * HOUR, 10 * MINUTE);
    await expectCounts({ waiting: 1, givenUp: 0 });
    await passInSteps(2 * HOUR, 10 * MINUTE);
    await expectCounts({ waiting: 0, givenUp: 1 });
    expect(await home.store.list({})).toMatchObject([{ tries: LAST_TRY }]);
    await pass(400 * 24 * HOUR);
    await expectCounts({ givenUp: 1 });
  });
});

describe("one worker sends at a time", () => {
  test("another one follows at once after a stop, and after 20 s without a sign", async () => {
    await start();
    await worker.turn();
    const other = employ({ file: file(), mail: mail() });
    await apply({ route: "mail" });
    await other.turn();
    await other.idle();
    expect(smtp.mails).toHaveLength(0);
    await worker.stop();
    await other.turn();
    await other.idle();
    expect(smtp.mails).toHaveLength(1);
    await other.stop();
  });

  test("another one follows at once after a kill, on a database of one host", async () => {
    const script = `
      import { openStore } from "${resolve("lib/storage/open.ts")}";
      const store = openStore({ databaseFile: ${JSON.stringify(home.databaseFile)} });
      console.info(await store.holdWorker("killed"));
      setInterval(() => undefined, 1_000);`;
    const killed = spawn(process.execPath, ["--input-type=module", "--eval", script]);
    expect(String((await once(killed.stdout, "data"))[0])).toContain("new");
    await start();
    await apply({ route: "mail" });
    await worker.turn();
    await worker.idle();
    expect(smtp.mails).toHaveLength(0);
    killed.kill("SIGKILL");
    await once(killed, "exit");
    await settle();
    expect(smtp.mails).toHaveLength(1);
  });

  test("what a late one writes changes nothing", async () => {
    const slow = slowMail();
    let latecomer = "";
    const holdWorker: Store["holdWorker"] = (holder, terms) => {
      latecomer = holder;
      return home.store.holdWorker(holder, terms);
    };
    await start({ mail: slow.carrier }, DEFAULT_CAPS, { store: { ...home.store, holdWorker } });
    await apply({ route: "mail" });
    await worker.turn();
    await slow.begun;
    const late = worker;
    // As after 20 s without a sign: the row is another one's.
    const holder = crypto.randomUUID();
    await home.store.letGoOfWorker(latecomer);
    expect(await home.store.holdWorker(holder, { now, hasCarrier: true })).toBe("new");
    slow.end();
    await late.idle();
    const [application] = await home.store.list({});
    const found = await home.store.find(application?.applicationId ?? "");
    expect(found).toMatchObject({ state: "open", sends: [{ outcome: "unknown" }] });
    await home.store.letGoOfWorker(holder);
  });
});

describe("a store that fails", () => {
  test.each([
    [
      "is asked again after a pause",
      new StorageUnavailable("The disk is full.", "full"),
      "running",
    ],
    ["in a way that nobody foresaw has the loop say so", new TypeError("our own"), "restarting"],
  ])("%s: deliveries go on within 5 s when it is back", async (_what, fault, state) => {
    const seen: [number, string][] = [];
    const pause: Pause = async (ms, signal) => {
      seen.push([ms, worker.status().state]);
      if (seen.length > 4 && !signal.aborted)
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
    };
    const dueJobs: Store["dueJobs"] = async (options) => {
      if (seen.length < 4) throw fault;
      return home.store.dueJobs(options);
    };
    await start({ sms: sms() }, DEFAULT_CAPS, { store: { ...home.store, dueJobs }, pause });
    await apply();
    worker.start();
    await expect.poll(() => twilio.messages.length).toBe(1);
    expect(seen.slice(0, 4)).toEqual(Array(4).fill([4_000, state]));
    expect(worker.status().state).toBe("running");
  });

  test("after a send is told about it once it is back, and nothing is sent twice", async () => {
    let failures = 3;
    const endSends: Store["endSends"] = async (...note) => {
      if (failures-- > 0) throw new StorageUnavailable("The disk is full.", "full");
      return home.store.endSends(...note);
    };
    await start({ sms: sms() }, DEFAULT_CAPS, {
      store: { ...home.store, endSends },
      pause: async () => undefined,
    });
    await deliver();
    await expectCounts({ sent: 1 });
    expect(twilio.requests).toBe(1);
  });
});

test("a fault inside a carrier is logged and tried again, and stops nothing else", async () => {
  const error = vi.spyOn(log, "error");
  const broken = { ...sms(), send: () => Promise.reject(new TypeError("홍길동")) };
  await start({ sms: broken, mail: mail() });
  await apply();
  await deliver({ route: "mail" });
  await expectCounts({ waiting: 1, done: 1 });
  expect(error).toHaveBeenCalled();
});

test("the log says numbers and outcomes, and nothing that the visitor wrote", async () => {
  const lines: unknown[] = [];
  for (const level of ["info", "warn", "error"] as const) {
    vi.spyOn(log, level).mockImplementation((...line: unknown[]) => void lines.push(line));
  }
  twilio.next({ status: 400, code: 21211 });
  await start();
  await apply();
  await deliver({ route: "mail" });
  const logged = JSON.stringify(lines);
  expect(logged).toContain("21211");
  expect(logged).not.toMatch(/홍길동|1012345678|010-1234-5678|여성 강사/);
});
