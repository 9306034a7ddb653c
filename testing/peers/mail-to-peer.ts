/** Sends mails to a mail server of the test. */
import { test as base } from "vitest";
import type { MailServer } from "#lib/addresses.ts";
import type { TransmitOptions } from "#lib/channels/channel.ts";
import { openMailChannel } from "#lib/channels/mail/smtp.ts";
import type { Answer } from "#lib/storage/outcomes.ts";
import { aStoredApplication } from "#testing/fixtures/stored-application.ts";
import { SmtpPeer, type SmtpPeerOptions } from "#testing/peers/smtp-peer.ts";

export const OWNER_MAIL = "owner@practice.example";

export async function startPeer(options: SmtpPeerOptions = {}): Promise<SmtpPeer> {
  const started = new SmtpPeer(options);
  await started.start();
  return started;
}

type Sending = Partial<TransmitOptions & { server: MailServer; to: string }>;

/** `send` mails an application, to the new server `smtp` unless another one is given. */
export const test = base.extend<{
  smtp: SmtpPeer;
  send: (sending?: Sending) => Promise<Answer>;
}>({
  smtp: async ({}, use) => {
    await using smtp = await startPeer();
    await use(smtp);
  },
  send: ({ smtp }, use) =>
    use(
      ({
        server = smtp.mailServer(),
        to = OWNER_MAIL,
        signal = new AbortController().signal,
        ...terms
      } = {}) => {
        const from = { name: "이름", address: "site@practice.example" };
        const channel = openMailChannel({ server, from, to: [to] }, "https://practice.example");
        const application = aStoredApplication({ name: "김샾😀 Kim" }, "mail");
        return channel.transmit({ kind: "application", application }, to, { signal, ...terms });
      },
    ),
});
