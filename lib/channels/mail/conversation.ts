/** One conversation with a mail server, over a connection of its own: one mail, or a look that sends nothing. */
import { Readable } from "node:stream";
import type { NodemailerError } from "nodemailer/lib/errors";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import type { TransmitOptions } from "#lib/channels/channel.ts";
import { providerText } from "#lib/channels/provider-text.ts";

const MINUTE = 60_000;

/** How long to wait, at least as RFC 5321 section 4.5.3.2 asks for: a shorter wait makes copies of mails. */
export const SMTP_LIMITS = {
  /** For each answer, the greeting and TLS among them. */
  answer: 5 * MINUTE,
  /** Until the server has taken one block of the message. */
  block: 3 * MINUTE,
  /** For the answer to the whole message. */
  finalDot: 10 * MINUTE,
} as const;
const BLOCK_BYTES = 16 * 1_024;
/** How long to wait for the answer to QUIT. */
const FAREWELL_MS = 1_000;

export type SmtpOptions = NonNullable<ConstructorParameters<typeof SMTPConnection>[0]> & {
  auth?: { user: string; pass: string };
};

export interface Letter {
  from: string;
  to: readonly string[];
  /** The whole message, as it goes over the wire. */
  content: Buffer;
  /** What it says: left out of what is told about a fault. */
  words: string;
}

export interface ConversationEnd {
  /** `beforeTransmit` said no; the server got no message. */
  held: boolean;
  /**
   * Why the mail was not taken: the step (`connect`, `tls`, `login`, `envelope`, `sender`, `recipient`, `message`,
   * `finalDot`), and the server's status, enhanced status (RFC 3463) and words, or what came instead of an answer:
   * `recipient: 550 5.1.1 …`, `connect: ECONNREFUSED`. Without a status at `finalDot`, nobody knows whether it was taken.
   */
  fault: string | undefined;
  /** The same for single recipients. */
  refused: ReadonlyMap<string, string>;
}

/** Never throws; a signal that aborts ends the conversation where it stands. Without a letter it only logs in. */
export function converse(
  options: SmtpOptions,
  letter: Letter | undefined,
  { signal, beforeTransmit = async () => true }: TransmitOptions,
): Promise<ConversationEnd> {
  return new Promise((resolve) => {
    let step = "connect";
    let held = false;
    let isOver = false;
    let timer: NodeJS.Timeout | undefined;
    const wait = (next: string, ms: number) => {
      step = next;
      clearTimeout(timer);
      if (!isOver) timer = setTimeout(fail, ms, { code: "ETIMEDOUT" });
    };
    const end = (error: Told | undefined, errors: readonly Told[] = []) => {
      // The first end counts: closing the connection comes here once more.
      isOver = true;
      clearTimeout(timer);
      const told = (each: Told) => toldBy(each, step, letter?.words ?? "");
      const refused = new Map(errors.map((each) => [each.recipient ?? "", told(each)]));
      resolve({ held, fault: error && !held ? told(error) : undefined, refused });
    };
    const fail = (error: Told) => {
      end(error, error.rejectedErrors);
      smtp.close();
    };
    const succeed = (errors?: readonly Told[]) => {
      end(undefined, errors);
      smtp.quit();
      setTimeout(() => smtp.close(), FAREWELL_MS).unref();
    };
    const heard = () => wait(step, step === "finalDot" ? SMTP_LIMITS.finalDot : SMTP_LIMITS.answer);
    const smtp = new SMTPConnection({
      ...options,
      connectionTimeout: SMTP_LIMITS.answer,
      greetingTimeout: SMTP_LIMITS.answer,
      transactionLog: true,
      logger: { debug: ({ tnx }: { tnx?: string }) => tnx === "server" && heard() },
    });
    async function* message({ content }: Letter) {
      held = !(await beforeTransmit().catch(() => false));
      if (held) throw new Error("held back");
      for (let at = 0; at < content.length; at += BLOCK_BYTES) {
        wait("message", SMTP_LIMITS.block);
        yield content.subarray(at, at + BLOCK_BYTES);
      }
      wait("finalDot", SMTP_LIMITS.finalDot);
    }
    const send = () => {
      if (!letter) return succeed();
      wait("envelope", SMTP_LIMITS.answer);
      const envelope = { from: letter.from, to: [...letter.to], size: letter.content.length };
      const stream = Readable.from(message(letter), { objectMode: false });
      smtp.send(envelope, stream, (error, sent) =>
        error ? fail(error) : succeed(sent.rejectedErrors),
      );
    };
    smtp.on("error", fail);
    // What the server said at the end comes after this.
    smtp.on("end", () => setImmediate(fail, { code: "ECONNECTION" }));
    const cutOff = () => fail({ code: "cut off" });
    if (signal.aborted) return cutOff();
    signal.addEventListener("abort", cutOff, { once: true });
    wait("connect", SMTP_LIMITS.answer);
    smtp.connect((error) => {
      if (error) return fail(error);
      if (!options.auth || !smtp.allowsAuth) return send();
      wait("login", SMTP_LIMITS.answer);
      smtp.login(options.auth, (denied) => (denied ? fail(denied) : send()));
    });
  });
}

type Told = Partial<NodemailerError>;

const STEPS: Readonly<Record<string, string>> = {
  MAIL: "sender",
  RCPT: "recipient",
  AUTH: "login",
};
/** What each line of a reply begins with. */
const CODES = /^(\d{3})[ -]?(?:([245]\.\d{1,3}\.\d{1,3})\b)?/;

/** What an error of nodemailer's says, without the words of the mail and without addresses. */
function toldBy(
  { code, originalCode, command = "", response = "" }: Told,
  at: string,
  sent: string,
) {
  const step = code === "ETLS" ? "tls" : (STEPS[command.split(" ")[0] ?? ""] ?? at);
  const [, status, enhanced] = CODES.exec(response) ?? [];
  if (status === undefined) return `${step}: ${originalCode ?? code ?? "no answer"}`;
  const words = response.split("\n").map((line) => line.replace(CODES, ""));
  return [`${step}:`, status, enhanced, providerText(words.join(" "), sent)]
    .filter(Boolean)
    .join(" ");
}
