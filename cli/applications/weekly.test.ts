import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { weekly } from "#cli/applications/weekly.ts";
import { parseConfig } from "#lib/config.ts";
import { SmtpPeer, type SmtpPeerOptions } from "#testing/peers/smtp-peer.ts";
import { temporaryStore } from "#testing/temporary-store.ts";

let said = "";
beforeEach(() => {
  said = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    said += text;
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

/** `weekly --send` to two addresses of the owner; returns the exit code. */
async function send(prepare: (smtp: SmtpPeer) => void, options?: SmtpPeerOptions) {
  await using temporary = temporaryStore();
  await temporary.store.list({});
  const smtp = new SmtpPeer(options);
  await smtp.start();
  prepare(smtp);
  const config = parseConfig({
    DATABASE_URL: `file:${temporary.databaseFile}`,
    SMTP_URL: smtp.url,
    MAIL_FROM: "site@practice.example",
    MAIL_TO: "one@practice.example,two@practice.example",
  });
  try {
    return await weekly.run(["--send"], config);
  } finally {
    await smtp.stop();
  }
}

test("says to whom the summary went, and to whom it did not", async () => {
  const code = await send((smtp) => smtp.next({ recipients: { "two@practice.example": 550 } }));
  expect(code).toBe(1);
  expect(said).toMatch(/^one@practice\.example: 메일 서버가 .*받았습니다\.$/m);
  expect(said).toMatch(/^two@practice\.example: 거부되었습니다\. .+$/m);
});

test("does not call a summary unsent that may have gone out", async () => {
  expect(await send((smtp) => smtp.next({ dropsAfterData: true }))).toBe(1);
  expect(said).toContain("나갔는지 알 수 없습니다.");
  expect(said).not.toContain("보내지 못했습니다.");
});
