import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { examineSite } from "#cli/doctor/examine.ts";
import { HOUR } from "#lib/application/durations.ts";
import { CHANNEL_DEFINITIONS } from "#lib/channels/registry.ts";
import { NEITHER_CHANNEL_WORDS } from "#lib/channels/words.ts";
import { parseConfig } from "#lib/config.ts";
import { HEALTH_CACHED_FOR_MS } from "#lib/delivery/health.ts";
import { localSiteUrl } from "#lib/site-address.ts";
import { deliverWith } from "#testing/delivery/deliver-with.ts";
import { runProgram } from "#testing/site/command-line.ts";
import { findFreePort } from "#testing/site/free-port.ts";
import { serveHandler } from "#testing/site/http-server.ts";
import { makeTemporaryFolder } from "#testing/storage/temporary-folder.ts";
import { aNewApplication, openTemporaryStore } from "#testing/storage/temporary-store.ts";

/** Answers with this status until the test ends. Returns the port. */
async function siteThatAnswers(status: number): Promise<number> {
  return serveHandler(async (request, response) => {
    response.statusCode = request.url === "/api/status" ? status : 404;
    response.end();
  });
}

const findings = async (folder: string, port: number, more: Record<string, string> = {}) => {
  const env = { DATA_DIR: folder, HOSTNAME: "127.0.0.1", PORT: `${port}`, ...more };
  const found = await examineSite(parseConfig(env), async () => undefined);
  return found.map(({ level, sentence }) => `${level}: ${sentence}`).join("\n");
};

test.for<[what: string, port: () => number | Promise<number>, finding: RegExp]>([
  ["works", () => siteThatAnswers(200), /^ok: 사이트가 .+에서 응답합니다\.$/m],
  ["delivers nothing", () => siteThatAnswers(503), /^fault: 사이트는 응답하지만 /m],
  ["has lost its port", () => siteThatAnswers(404), /^fault: http.+다른 프로그램이 응답합니다/m],
  ["is off", findFreePort, /^fault: 사이트가 .+응답하지 않습니다/m],
])("the doctor reports that the site %s", async ([, port, finding]) => {
  await using temporary = openTemporaryStore();
  // An application from the future makes the doctor report the clock, which must not hide what the site answers.
  await temporary.store.accept(aNewApplication({ now: Date.now() + HOUR }));
  await deliverWith(temporary, {}, Date.now() + HOUR);
  const value = JSON.stringify({ header: "cf-connecting-ip", publicProxies: 0, needed: 1 });
  await temporary.store.writeNote("cdn", { at: Date.now(), value });
  const found = await findings(temporary.folder, await port());
  expect(found).toMatch(finding);
  expect(found).toContain("warn: PUBLIC_PROXIES가 0인데");
  expect(found.match(/사이트가 http|사이트는|다른 프로그램이/g)).toHaveLength(1);
});

test("the doctor asks the site without the proxy of the environment [101]", async () => {
  const port = await siteThatAnswers(200);
  const nowhere = "http://127.0.0.1:9";
  const { stdout } = await runProgram("cli/doctor.ts", [], {
    cwd: makeTemporaryFolder(),
    env: { NODE_ENV: "test", NODE_USE_ENV_PROXY: "1", HTTP_PROXY: nowhere, PORT: `${port}` },
  });
  expect(stdout).toContain(`사이트가 http://127.0.0.1:${port}에서 응답합니다.`);
});

test("a site that listens on all addresses is asked at 127.0.0.1", () => {
  const at = (hostname: string) => localSiteUrl({ hostname, port: 3000 });
  expect(["0.0.0.0", "::", "::1"].map(at)).toEqual([
    ...["http://127.0.0.1:3000", "http://127.0.0.1:3000", "http://[::1]:3000"],
  ]);
});

test("the doctor does not report a 503 that a broken database explains", async () => {
  await using temporary = openTemporaryStore();
  mkdirSync(temporary.folder, { recursive: true });
  writeFileSync(join(temporary.folder, "applications.db"), "no database".repeat(100));
  const port = await siteThatAnswers(503);
  expect(await findings(temporary.folder, port)).toMatch(
    /^fault: .+\n[\s\S]*ok: 사이트가 .+응답합니다/,
  );
});

test("the doctor does not trust a status from before a repair", async () => {
  await using temporary = openTemporaryStore();
  await temporary.store.countApplications();
  let asked = 0;
  const port = await serveHandler(async (_request, response) => {
    asked += 1;
    response.writeHead(asked === 1 ? 503 : 200).end();
  });
  const pause = vi.fn(async () => undefined);
  const env = { DATA_DIR: temporary.folder, HOSTNAME: "127.0.0.1", PORT: `${port}` };
  const found = await examineSite(parseConfig(env), pause);
  expect(found).toContainEqual(expect.objectContaining({ topic: "process", level: "ok" }));
  expect(pause.mock.calls).toEqual([[HEALTH_CACHED_FOR_MS]]);
});

test("the doctor of a public site without a channel does not ask for a restart [93]", async () => {
  await using temporary = openTemporaryStore();
  await temporary.store.countApplications();
  const port = await siteThatAnswers(503);
  const said = await findings(temporary.folder, port, { SITE_URL: "https://practice.example" });
  expect(said).toMatch(/^ok: 사이트가 .+에서 응답합니다\.$/m);
  expect(said).toMatch(RegExp(`^unset: ${NEITHER_CHANNEL_WORDS} 설정되지 않아`, "m"));
});

test("the doctor continues after a check that throws", async () => {
  await using temporary = openTemporaryStore();
  const port = await siteThatAnswers(200);
  vi.spyOn(CHANNEL_DEFINITIONS.sms, "diagnose").mockRejectedValue(new Error("odd"));
  vi.spyOn(CHANNEL_DEFINITIONS.mail, "diagnose").mockRejectedValue("text");
  expect(await findings(temporary.folder, port)).toMatch(
    /ok: 사이트가[\s\S]*fault: .+\(sms: odd\)[\s\S]*fault: .+\(mail: text\)/,
  );
});
