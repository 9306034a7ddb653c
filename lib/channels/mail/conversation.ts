import { Readable } from "node:stream";
import type { NodemailerError } from "nodemailer/lib/errors";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { MINUTE, SECOND } from "#lib/application/durations.ts";
import type { TransmitOptions } from "#lib/channels/channel.ts";
import { redactProviderText } from "#lib/channels/provider-text.ts";

/** RFC 5321 section 4.5.3.2. Shorter time limits would cause duplicate mails. */
const SMTP_TIMEOUTS = {
  /** The time to wait for a reply, also for the greeting and the TLS handshake. */
  reply: 5 * MINUTE,
  /** The time in which the connection must take BLOCK_BYTES of the message. */
  block: 3 * MINUTE,
  /** The time to wait for the reply to the whole message. */
  finalDot: 10 * MINUTE,
} as const;
const BLOCK_BYTES = 16 * 1_024;
/** The time to wait for a reply that changes no outcome: to QUIT, or to a mail without accepted recipients. */
const FAREWELL = SECOND;

export type SmtpOptions = NonNullable<ConstructorParameters<typeof SMTPConnection>[0]> & {
  auth?: { user: string; pass: string };
};

export interface OutgoingMail {
  from: string;
  to: readonly string[];
  content: Buffer;
  /** The words of the message, which no failure may quote. */
  words: string;
}

export interface ConversationResult {
  hasLoggedIn: boolean;
  /** True if the message was not sent, because `beforeTransmit` returned false. */
  isWithheld: boolean;
  /**
   * The step (`connect`, `tls`, `login`, `envelope`, `sender`, `recipient`, `message`, `finalDot`), then the server's
   * status, enhanced status (RFC 3463) and words, or an error code: `recipient: 550 5.1.1 …`, `connect: ENOTFOUND`.
   */
  failure: string | undefined;
  refused: ReadonlyMap<string, string>;
}

type SmtpError = Partial<NodemailerError>;

const broken = (code: string) => Object.assign(new Error(code), { code });

/** Connects, logs in, and sends the mail if there is one. The signal ends the conversation. */
export class Conversation {
  readonly #smtp: SMTPConnection;
  readonly #options: SmtpOptions;
  readonly #mail: OutgoingMail | undefined;
  readonly #broken = Promise.withResolvers<never>();
  /** The commands without a reply so far: "" for MAIL, the recipient's address for RCPT. */
  readonly #awaiting: string[];
  readonly #refused = new Map<string, string>();
  readonly #terms: Required<TransmitOptions>;
  #step = "connect";
  /** The last line of the reply to the whole message. */
  #finalReply = "";
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;
  #isWithheld = false;
  #hasLoggedIn = false;

  constructor(options: SmtpOptions, mail: OutgoingMail | undefined, terms: TransmitOptions) {
    this.#mail = mail;
    this.#awaiting = ["", ...(mail?.to ?? [])];
    this.#options = options;
    this.#terms = { beforeTransmit: async () => true, ...terms };
    this.#smtp = new SMTPConnection({
      ...options,
      connectionTimeout: SMTP_TIMEOUTS.reply,
      greetingTimeout: SMTP_TIMEOUTS.reply,
      transactionLog: true,
      logger: {
        debug: ({ tnx }: { tnx?: string }, reply?: string) =>
          tnx === "server" && this.#receive(reply ?? ""),
      },
    });
    this.#broken.promise.catch(() => undefined);
    this.#smtp.on("error", this.#broken.reject);
    // Nodemailer handles the server's last reply after this event.
    this.#smtp.on("end", () => setImmediate(() => this.#break("ECONNECTION")));
    terms.signal.addEventListener("abort", () => this.#break("cut off"), { once: true });
  }

  /** Never throws. The mail is sent without a login if the server offers none. */
  async run(): Promise<ConversationResult> {
    const { auth } = this.#options;
    let failure: string | undefined;
    try {
      if (this.#terms.signal.aborted) throw broken("cut off");
      await this.#do("connect", (done) => this.#smtp.connect(done));
      if (auth && this.#smtp.allowsAuth) {
        await this.#do("login", (done) => this.#smtp.login(auth, done));
        this.#hasLoggedIn = true;
      }
      if (this.#mail) await this.#send(this.#mail);
      this.#smtp.quit();
      setTimeout(() => this.#smtp.close(), FAREWELL).unref();
    } catch (error) {
      failure = this.#isWithheld ? undefined : this.#describe(error instanceof Error ? error : {});
      this.#smtp.close();
    }
    this.#isOver = true;
    clearTimeout(this.#timer);
    const refused = this.#refused;
    return { hasLoggedIn: this.#hasLoggedIn, isWithheld: this.#isWithheld, failure, refused };
  }

  async #send({ from, to, content }: OutgoingMail): Promise<void> {
    const envelope = { from, to: [...to], size: content.length };
    const stream = Readable.from(this.#blocks(content), { objectMode: false });
    await this.#do("envelope", (done) => this.#smtp.send(envelope, stream, done));
    if (/^2\d\d\b/.test(this.#finalReply)) return;
    // The server accepted the message before its end, or in words of two meanings: `25 Ok`, `250-Ok` before `550 No`.
    this.#step = "finalDot";
    throw broken("EPROTOCOL");
  }

  async *#blocks(content: Buffer) {
    this.#isWithheld = !(await this.#terms.beforeTransmit());
    if (this.#isWithheld) throw new Error("withheld");
    for (let at = 0; at < content.length; at += BLOCK_BYTES) {
      this.#limit("message", SMTP_TIMEOUTS.block);
      yield content.subarray(at, at + BLOCK_BYTES);
    }
    this.#limit("finalDot", SMTP_TIMEOUTS.finalDot);
  }

  async #do(step: string, begin: (done: (error?: SmtpError | null) => void) => void) {
    this.#limit(step, SMTP_TIMEOUTS.reply);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    begin((error) => (error ? reject(error) : resolve()));
    await Promise.race([promise, this.#broken.promise]);
  }

  #limit(step: string, ms: number): void {
    this.#step = step;
    clearTimeout(this.#timer);
    if (this.#isOver) return;
    this.#timer = setTimeout(() => this.#break("ETIMEDOUT"), ms);
  }

  #break(code: string): void {
    this.#broken.reject(broken(code));
  }

  #receive(reply: string): void {
    const recipient = this.#step === "envelope" ? this.#awaiting.shift() : undefined;
    if (recipient !== undefined && /^[45]/.test(reply)) {
      // The replies to RCPT say nothing after a refused MAIL.
      if (recipient === "") this.#awaiting.length = 0;
      else this.#refused.set(recipient, this.#describe({ command: "RCPT TO", response: reply }));
    }
    const isForNobody = /^354/.test(reply) && this.#refused.size === this.#mail?.to.length;
    if (this.#step === "finalDot") {
      this.#limit("finalDot", SMTP_TIMEOUTS.finalDot);
      this.#finalReply = reply.split("\n").at(-1) ?? "";
    } else this.#limit(this.#step, isForNobody ? FAREWELL : SMTP_TIMEOUTS.reply);
  }

  /** Describes a failure without addresses and without the words of the mail. */
  #describe({ code, originalCode, command = "", response = "" }: SmtpError): string {
    const step = code === "ETLS" ? "tls" : (STEPS[command.split(" ")[0] ?? ""] ?? this.#step);
    const [, status, enhanced] = CODES.exec(response) ?? [];
    if (status === undefined) return `${step}: ${originalCode ?? code ?? "no answer"}`;
    const words = response.split("\n").map((line) => line.replace(CODES, ""));
    const text = redactProviderText(words.join(" "), this.#mail?.words ?? "");
    return [`${step}:`, status, enhanced, text].filter(Boolean).join(" ");
  }
}

const STEPS: Partial<Record<string, string>> = { MAIL: "sender", RCPT: "recipient", AUTH: "login" };
/** Status and enhanced status at the beginning of each line of a reply. */
const CODES = /^(\d{3})[ -]?(?:([245]\.\d{1,3}\.\d{1,3})\b)?/;
