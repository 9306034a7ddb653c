import { beforeEach, expect, test, vi } from "vitest";
import { testSendCommand } from "#cli/applications/test-send.ts";
import { CHANNEL_DEFINITIONS } from "#lib/channels/registry.ts";
import { parseConfig } from "#lib/config.ts";
import type { Answer } from "#lib/storage/outcomes.ts";
import { makeTemporaryFolder } from "#testing/storage/temporary-folder.ts";

vi.mock("node:timers/promises", () => ({
  setTimeout: async (ms: number) => void vi.setSystemTime(Date.now() + ms),
}));

const ACCEPTED: Answer = { outcome: "accepted", providerId: "SM1" };
const DELIVERED: Answer = { outcome: "delivered" };
const UNKNOWN: Answer = { outcome: "unknown" };
const fault = { error: "30003", advice: "휴대폰을 켜 주세요.", about: "recipient" } as const;
const REJECTED: Answer = { outcome: "rejected", providerId: "SM1", fault };
const NOT_SENT: Answer = { outcome: "not-sent", fault };

let said = "";
beforeEach(() => {
  said = "";
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.spyOn(console, "info").mockImplementation((line) => {
    said += `${line}\n`;
  });
});

/** `answers`: one for each recipient. `statuses`: the answers to the status checks, then `unknown`. */
async function send(answers: Answer[], statuses?: Answer[]) {
  const left = [...(statuses ?? [])];
  const unsaid = [...answers];
  const fetchStatus = vi.fn(async (_providerId: string) => left.shift() ?? UNKNOWN);
  vi.spyOn(CHANNEL_DEFINITIONS.sms, "open").mockReturnValue({
    ...{ recipients: ["+821011112222", "+821033334444"].slice(0, answers.length) },
    ...{ slots: 1, timeoutMs: 1_000, segments: () => 1, isShortened: () => false },
    transmit: async () => unsaid.shift() ?? UNKNOWN,
    ...(statuses && { statusChecks: { fetchStatus, searchForMessage: async () => UNKNOWN } }),
  });
  const config = parseConfig({ DATA_DIR: makeTemporaryFolder() });
  const failure = await testSendCommand.run(["sms"], config, {}).catch((error: unknown) => error);
  return { failure, fetchStatus };
}

test.each([
  ["is delivered at once", [DELIVERED], [], "문자가 휴대폰에 도착했습니다.", 0],
  ["is delivered later", [ACCEPTED], [UNKNOWN, ACCEPTED, DELIVERED], "도착했습니다.", 3],
  ["stays on its way", [ACCEPTED], [], "보냄.", 15],
  ["has no status", [ACCEPTED], undefined, "보냄.", 0],
])("test-send reports a message that %s", async (_, results, statuses, words, requests) => {
  const { failure, fetchStatus } = await send(results, statuses);
  expect(failure).toBeUndefined();
  expect(said).toMatch(/^시험 메시지를 보냅니다/);
  expect(said).toMatch(new RegExp(`010-1111-2222: .*${words}\n`));
  expect(said).toContain(CHANNEL_DEFINITIONS.sms.whereToLook);
  // No database exists before the site's first start.
  expect(said).toContain("데이터베이스에 적지 못했습니다");
  expect(fetchStatus).toHaveBeenCalledTimes(requests);
  if (requests > 0) expect(fetchStatus).toHaveBeenCalledWith("SM1", expect.any(AbortSignal));
});

test.each([
  ["was not sent", [DELIVERED, NOT_SENT], []],
  ["was rejected later", [ACCEPTED, DELIVERED], [REJECTED]],
])("test-send fails when one of two messages %s", async (_, results, statuses) => {
  const { failure } = await send(results, statuses);
  expect(failure).toMatchObject({ message: expect.stringContaining("모두에게 보내지는") });
  expect(said.match(/^[\d-]+(?=: )/gm)).toEqual(["010-1111-2222", "010-3333-4444"]);
  expect(said.match(/휴대폰을 켜 주세요\.\n/g)).toHaveLength(1);
  expect(said.match(/도착했습니다\.\n/g)).toHaveLength(1);
  expect(said).not.toContain(CHANNEL_DEFINITIONS.sms.whereToLook);
});
