import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { NodemailerError } from "nodemailer/lib/errors";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import type { TransmitOptions } from "#lib/channels/channel.ts";
import { redactProviderText } from "#lib/channels/provider-text.ts";

export type SmtpOptions = NonNullable<ConstructorParameters<typeof SMTPConnection>[0]> & {
  auth?: { user: string; pass: string };
};

export interface OutgoingMail {
  from: string;
  to: string;
  content: Buffer;
  /** The words of the message, which no failure may quote. */
  words: string;
}

/** `envelope`: between the login and the message. `finalDot`: after the last byte of the message. */
type Step =
  | "connect"
  | "tls"
  | "login"
  | "envelope"
  | "sender"
  | "recipient"
  | "message"
  | "finalDot";

export interface SmtpFailure {
  step: Step;
  /** The server's status and enhanced status (RFC 3463); undefined without a reply. */
  status: number | undefined;
  enhanced: string | undefined;
  /** The server's words without personal data, or the code of an error: `ENOTFOUND`. */
  words: string;
}

export interface ConversationResult {
  hasLoggedIn: boolean;
  /** True if the message was not sent, because `beforeTransmit` returned false. */
  isWithheld: boolean;
  failure: SmtpFailure | undefined;
}

type SmtpError = Partial<NodemailerError>;

const errorWithCode = (code: string) => Object.assign(new Error(code), { code });

/** Connects, logs in if both `options` and the server allow it, and sends the mail if there is one. Never throws. */
export async function converse(
  options: SmtpOptions,
  mail: OutgoingMail | undefined,
  { signal, beforeTransmit = async () => true }: TransmitOptions,
): Promise<ConversationResult> {
  const smtp = new SMTPConnection(options);
  const perform = createStepPerformer(smtp, signal);
  let step: Step = "connect";
  let hasLoggedIn = false;
  let isWithheld = false;
  let failure: SmtpFailure | undefined;
  async function* contentOf({ content }: OutgoingMail) {
    isWithheld = !(await beforeTransmit());
    if (isWithheld) throw new Error("withheld");
    // Lets Nodemailer read a reply that arrived together with the 354, before the message leaves.
    await nextTurn();
    step = "message";
    yield content;
    step = "finalDot";
  }
  try {
    await perform((done) => smtp.connect(done));
    step = "login";
    if (options.auth && smtp.allowsAuth) {
      await perform((done) => smtp.login(options.auth, done));
      hasLoggedIn = true;
    }
    step = "envelope";
    if (mail) {
      const envelope = { from: mail.from, to: [mail.to], size: mail.content.length };
      const stream = Readable.from(contentOf(mail), { objectMode: false });
      const sent = await perform<{ response: string }>((done) => smtp.send(envelope, stream, done));
      const isAccepted = isAcceptance(step, sent?.response ?? "");
      step = "finalDot";
      if (!isAccepted) throw errorWithCode("EPROTOCOL");
    }
    smtp.quit();
  } catch (error) {
    const smtpError = error instanceof Error ? error : {};
    failure = isWithheld ? undefined : parseFailure(smtpError, step, mail?.words ?? "");
  }
  smtp.close();
  return { hasLoggedIn, isWithheld, failure };
}

/** The returned function runs one step. It rejects when the step fails, the connection ends or the signal aborts. */
function createStepPerformer(smtp: SMTPConnection, signal: AbortSignal) {
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => undefined);
  smtp.on("error", lost.reject);
  // A turn later, because Nodemailer handles the server's last reply after this event.
  smtp.on("end", () => setImmediate(() => lost.reject(errorWithCode("ECONNECTION"))));
  const abort = () => lost.reject(errorWithCode("cut off"));
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  return <Info>(begin: (done: (error?: SmtpError | null, info?: Info) => void) => void) => {
    const { promise, resolve, reject } = Promise.withResolvers<Info | undefined>();
    begin((error, info) => (error ? reject(error) : resolve(info)));
    return Promise.race([lost.promise, promise]);
  };
}

/** False for a reply before the end of the message, and for an unclear one: `25 Ok`, `250-Ok` before `550 No`. */
const isAcceptance = (step: Step, reply: string) =>
  step === "finalDot" && /^2\d\d\b/.test(reply.split("\n").at(-1) ?? "");

const STEP_BY_COMMAND: Partial<Record<string, Step>> = {
  MAIL: "sender",
  RCPT: "recipient",
  AUTH: "login",
};
/** Status and enhanced status at the beginning of each line of a reply. */
const STATUS_CODES_PATTERN = /^(\d{3})[ -]?(?:([245]\.\d{1,3}\.\d{1,3})\b)?/;

/** `reached`: the step that counts if the failure names no command. */
function parseFailure(error: SmtpError, reached: Step, message: string): SmtpFailure {
  const { code, originalCode, command = "", response = "" } = error;
  const step = code === "ETLS" ? "tls" : (STEP_BY_COMMAND[command.split(" ")[0] ?? ""] ?? reached);
  const [, status, enhanced] = STATUS_CODES_PATTERN.exec(response) ?? [];
  const lines = response.split("\n").map((line) => line.replace(STATUS_CODES_PATTERN, ""));
  const words = status
    ? redactProviderText(lines.join(" "), message)
    : (originalCode ?? code ?? "no answer");
  return { step, status: status ? Number(status) : undefined, enhanced, words };
}
