/** Mails to a mail server of their own. To import it is to have a new one for each test of the file. */
import { afterEach, beforeEach } from "vitest";
import { openMailChannel } from "#lib/channels/mail/smtp.ts";
import { aStoredApplication } from "#testing/fixtures/stored-application.ts";
import { SmtpPeer, type SmtpPeerOptions } from "#testing/peers/smtp-peer.ts";

export const OWNER = "owner@practice.example";
export const SECOND = "second@practice.example";
export let peer: SmtpPeer;

export async function peerWith(options: SmtpPeerOptions = {}): Promise<SmtpPeer> {
  const started = new SmtpPeer(options);
  await started.start();
  return started;
}
beforeEach(async () => {
  peer = await peerWith();
});
afterEach(() => peer.stop());

export function send(smtpUrl = peer.url, to = [OWNER], signal = new AbortController().signal) {
  return sendAll(smtpUrl, to, signal).then(([outcome]) => outcome);
}

export async function sendAll(
  smtpUrl = peer.url,
  to = [OWNER],
  signal = new AbortController().signal,
) {
  const channel = openMailChannel({ smtpUrl, from: "이름 <site@practice.example>", to });
  const application = aStoredApplication({ name: "김샾😀" }, "mail");
  return channel.send({ kind: "application", application }, to, { signal });
}
