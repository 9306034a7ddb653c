/** A look at the mail server without sending anything: would a mail to the owner be taken? */
import SMTPConnection, { type CustomAuthenticationContext } from "nodemailer/lib/smtp-connection";
import { smtpOutcome } from "#lib/channels/mail/error-codes.ts";
import { outcomeOf, senderAddress, transportOptions } from "#lib/channels/mail/smtp.ts";
import type { MailConfig } from "#lib/config.ts";
import { type Finding, fault, ok, warn } from "#lib/finding.ts";

/**
 * Goes through a conversation up to where the message would come, then takes it back (RSET): connects,
 * encrypts, logs in, names the sender and the recipients. Never throws.
 */
export async function examineMail(config: MailConfig): Promise<Finding[]> {
  const { auth, ...options } = transportOptions(config.smtpUrl);
  let refusal: Refusal | undefined;
  const nameEnvelope = async ({ sendCommand }: CustomAuthenticationContext) => {
    refusal = await refusedOf(envelopeCommands(config), sendCommand);
  };
  const connection = new SMTPConnection({ ...options, customAuth: { ENVELOPE: nameEnvelope } });
  connection.on("error", () => {
    // Each step below hears of it too; one that comes after the last step concerns nobody.
  });
  try {
    const unreachable = await failureOf(connection, (done) => connection.connect(done));
    if (unreachable) return [fault("smtp-connection", adviceOn(unreachable))];
    const connected = connection.secure
      ? ok("smtp-connection", "메일 서버와 암호화된 연결이 됩니다.")
      : warn(
          "smtp-connection",
          "메일 서버와 암호화 없이 연결됩니다. 이 서버 안의 주소일 때만 쓰세요.",
        );

    // As when it sends: a server that offers no login is not asked for one.
    const login = connection.allowsAuth ? auth : undefined;
    const denied = login && (await failureOf(connection, (done) => connection.login(login, done)));
    if (denied) return [connected, fault("smtp-login", adviceOn(denied))];
    const loggedIn = ok(
      "smtp-login",
      login ? "메일 서버에 로그인됩니다." : "메일 서버에 로그인 없이 보냅니다.",
    );

    // The library sends commands of one's own only where it expects another way to log in.
    const broken = await failureOf(connection, (done) =>
      connection.login({ method: "ENVELOPE" }, done),
    );
    return [connected, loggedIn, envelopeFinding(refusal, broken)];
  } finally {
    connection.quit();
  }
}

interface Refusal {
  status: number;
  command: string;
}

function envelopeCommands({ from, to }: MailConfig): string[] {
  const sender = senderAddress(from).replace(/[\r\n]/g, "");
  return [`MAIL FROM:<${sender}>`, ...to.map((address) => `RCPT TO:<${address}>`)];
}

/** The first of the commands that the server does not take. The conversation is reset in any case. */
async function refusedOf(
  commands: readonly string[],
  sendCommand: (command: string) => Promise<{ status: number }>,
): Promise<Refusal | undefined> {
  let refusal: Refusal | undefined;
  for (const command of commands) {
    const { status } = await sendCommand(command);
    const [verb = ""] = command.split(":");
    if (status < 200 || status >= 300) refusal ??= { status, command: verb };
  }
  await sendCommand("RSET");
  return refusal;
}

function envelopeFinding(refusal: Refusal | undefined, broken: unknown): Finding {
  if (refusal === undefined) {
    return broken
      ? fault("smtp-envelope", adviceOn(broken))
      : ok("smtp-envelope", "메일 서버가 보내는 주소와 받는 주소를 받아들입니다.");
  }
  const outcome = smtpOutcome({
    ...refusal,
    code: "EENVELOPE",
    systemCode: undefined,
    timedOutBeforeGreeting: false,
  });
  const advice = "advice" in outcome ? outcome.advice : "";
  // "Not now" (greylisting) is what the retries are for.
  return outcome.outcome === "refused"
    ? fault("smtp-envelope", advice)
    : warn("smtp-envelope", advice);
}

/** What a step of the conversation failed with, or undefined. */
function failureOf(
  connection: SMTPConnection,
  step: (done: (error?: unknown) => void) => void,
): Promise<unknown> {
  return new Promise((resolve) => {
    connection.once("error", resolve);
    connection.once("end", () => resolve(new Error("the connection was closed")));
    step((error) => resolve(error ?? undefined));
  });
}

function adviceOn(error: unknown): string {
  const outcome = outcomeOf(error);
  return "advice" in outcome ? outcome.advice : "";
}
