import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { examineSite } from "#cli/doctor/examine.ts";
import { HOUR } from "#lib/application/durations.ts";
import { CHANNEL_DEFINITIONS } from "#lib/channels/registry.ts";
import { parseConfig } from "#lib/config.ts";
import { aNewApplication, openTemporaryStore } from "#testing/storage/temporary-store.ts";

const answers = (status: number) => async () => new Response("", { status });
const findings = async (folder: string) => {
  const found = await examineSite(parseConfig({ DATA_DIR: folder, HOSTNAME: "::1" }));
  return found.map(({ level, sentence }) => `${level}: ${sentence}`).join("\n");
};

test.for<[what: string, answer: typeof fetch, finding: RegExp]>([
  ["works", answers(200), /^ok: 사이트가 .+에서 응답합니다\.$/m],
  ["delivers nothing", answers(503), /^fault: 사이트는 응답하지만 /m],
  ["is off", () => Promise.reject(new Error("refused")), /^fault: 사이트가 .+응답하지 않습니다/m],
])("the doctor reports that the site %s", async ([, answer, finding]) => {
  await using temporary = openTemporaryStore();
  // The doctor reports its clock as behind, which does not explain a 503 of the site.
  await temporary.store.accept(aNewApplication({ now: Date.now() + HOUR }));
  const value = JSON.stringify({ configured: 0, seen: 1, fits: false });
  await temporary.store.writeNote("proxy", { at: Date.now(), value });
  const request = vi.fn(answer);
  vi.stubGlobal("fetch", request);
  const found = await findings(temporary.folder);
  expect(found).toMatch(finding);
  expect(found).toContain("fault: TRUSTED_PROXY_HOPS가 0인데");
  expect(found.match(/사이트가 http|사이트는/g)).toHaveLength(1);
  const [[address, options] = []] = request.mock.calls;
  expect(address).toBe("http://[::1]:3000/api/status");
  expect(options?.signal).toBeInstanceOf(AbortSignal);
});

test("the doctor does not report a 503 that a broken database explains", async () => {
  await using temporary = openTemporaryStore();
  mkdirSync(temporary.folder, { recursive: true });
  writeFileSync(join(temporary.folder, "applications.db"), "no database".repeat(100));
  vi.stubGlobal("fetch", answers(503));
  expect(await findings(temporary.folder)).toMatch(/^fault: .+\n[\s\S]*ok: 사이트가 .+응답합니다/);
});

test("the doctor continues after a check that throws", async () => {
  await using temporary = openTemporaryStore();
  vi.stubGlobal("fetch", answers(200));
  vi.spyOn(CHANNEL_DEFINITIONS.sms, "diagnose").mockRejectedValue(new Error("odd"));
  vi.spyOn(CHANNEL_DEFINITIONS.mail, "diagnose").mockRejectedValue("text");
  expect(await findings(temporary.folder)).toMatch(
    /ok: 사이트가[\s\S]*fault: .+\(sms: odd\)[\s\S]*fault: .+\(mail: text\)/,
  );
});
