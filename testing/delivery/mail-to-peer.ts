/** Sends mails to a mail server of the test. Importing this module starts a new server before each test of the file. */
import { afterEach, beforeEach } from "vitest";
import type { MailServer } from "#lib/addresses.ts";
import type { TransmitOptions } from "#lib/channels/channel.ts";
import { openMail } from "#lib/channels/mail/smtp.ts";
import type { Answer } from "#lib/storage/queries/outcomes.ts";
import { aStoredApplication } from "#testing/fixtures/stored-application.ts";
import { SmtpPeer, type SmtpPeerOptions } from "#testing/peers/smtp-peer.ts";

export const OWNER = "owner@practice.example";
export const SECOND_RECIPIENT = "second@practice.example";
export let smtp: SmtpPeer;

export async function startPeer(options: SmtpPeerOptions = {}): Promise<SmtpPeer> {
  const started = new SmtpPeer(options);
  await started.start();
  return started;
}
beforeEach(async () => {
  smtp = await startPeer();
});
afterEach(() => smtp.stop());

interface Sending extends Partial<TransmitOptions> {
  server?: MailServer;
  to?: readonly string[];
}

/** Mails an application, and returns the outcome for the first address. */
export async function send(sending: Sending = {}): Promise<Answer> {
  const [answer] = await sendToAll(sending);
  if (answer === undefined) throw new Error("no answer");
  return answer;
}

export async function sendToAll({
  server = smtp.at(),
  to = [OWNER],
  signal = new AbortController().signal,
  ...terms
}: Sending = {}): Promise<Answer[]> {
  const config = {
    server,
    from: { name: "이름", address: "site@practice.example" },
    to: [...to],
  };
  const channel = openMail(config, "https://practice.example");
  const application = aStoredApplication({ name: "김샾😀 Kim" }, "mail");
  const message = { kind: "application", application } as const;
  return Array.fromAsync(to, (each) => channel.transmit(message, each, { signal, ...terms }));
}
