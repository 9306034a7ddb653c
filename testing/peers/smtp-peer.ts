/** A mail server for tests, which speaks real SMTP, keeps the accepted mails, and misbehaves on request. */
import { text } from "node:stream/consumers";
import { type ParsedMail, simpleParser } from "mailparser";
import type { SMTPServerOptions } from "smtp-server";
import type { MailServer } from "#lib/addresses.ts";
import { listeningPort } from "#testing/peers/listening-port.ts";
import { PromptSmtpServer } from "#testing/peers/prompt-smtp-server.ts";

export interface ReceivedMail {
  envelopeFrom: string;
  /** The accepted recipients. */
  envelopeTo: string[];
  /** The bytes that came over the wire. */
  raw: string;
  parsed: ParsedMail;
}

/** A status such as 451, or a status with its text: `550-5.7.26 …\n550 5.7.26 …`. */
type SmtpReply = number | string;

/** The peer's replies in one conversation. A step without a reply here succeeds. */
export interface SmtpMisbehaviour {
  /** Reply to AUTH. */
  login?: SmtpReply;
  /** Reply to MAIL FROM. */
  sender?: SmtpReply;
  /** Reply to RCPT TO, per recipient. */
  recipients?: Record<string, SmtpReply>;
  /** Reply after the message. */
  data?: SmtpReply;
  /** Accepts the message, then drops the connection instead of replying. */
  dropsAfterData?: boolean;
  slow?: SlowAnswers;
}

type Wait = () => Promise<unknown>;

interface SlowAnswers {
  greeting?: Wait;
  login?: Wait;
  sender?: Wait;
  recipient?: Wait;
  /** Delays the reply to DATA. */
  data?: Wait;
  /** Delays the reply to the final dot, after the message is accepted. */
  finalDot?: Wait;
}

export const SMTP_LOGIN = { user: "site", password: "a-password-of-the-peer" };

export interface SmtpPeerOptions {
  /** Refuses mails without a login. */
  needsLogin?: boolean;
  noAuth?: boolean;
  /** Asks for the message after rejecting every recipient. */
  asksWithoutRecipients?: boolean;
  /** Replies 250 in the same packet as the request for the message. */
  acceptsEarly?: boolean;
  /** Offers STARTTLS with smtp-server's own self-signed certificate. */
  offersStartTls?: boolean;
  /** The announced size limit of a mail. */
  maxBytes?: number;
  /** Gets each raw mail, which the peer then neither parses nor keeps, for tests with very many mails. */
  onRawMail?: (raw: string) => void;
}

export class SmtpPeer {
  readonly mails: ReceivedMail[] = [];
  attempts = 0;
  openConnections = 0;
  /** Names that clients gave in EHLO. */
  readonly clientNames: string[] = [];
  /** Passwords that clients have sent, so that a test can prove that no client sent a password. */
  readonly sentPasswords: string[] = [];
  #misbehaviours: SmtpMisbehaviour[] = [];
  #always: SmtpMisbehaviour | undefined;
  /** The misbehaviour of each open conversation, by session. */
  readonly #misbehaviourBySession = new Map<string, SmtpMisbehaviour>();
  readonly #options: SmtpPeerOptions;
  readonly #server: PromptSmtpServer;

  constructor(options: SmtpPeerOptions = {}) {
    this.#options = options;
    this.#server = new PromptSmtpServer(this.#serverOptions());
    this.#server.asksWithoutRecipients = options.asksWithoutRecipients ?? false;
    this.#server.acceptsEarly = options.acceptsEarly ?? false;
    this.#server.beforeMessage = (id) => this.#waitAt("data", id);
    this.#server.on("error", () => {
      // Some tests drop their connections.
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  /** The settings by which a mail channel reaches this server. `host`: any name of this machine. */
  mailServer(host = "127.0.0.1"): MailServer {
    const server = { host, port: listeningPort(this.#server.server), secure: false };
    return this.#options.needsLogin ? { ...server, login: SMTP_LOGIN } : server;
  }

  /** Number of clients that said QUIT before they closed the connection. */
  get quits(): number {
    return this.#server.quits;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(resolve));
  }

  [Symbol.asyncDispose]() {
    return this.stop();
  }

  /** Sets the misbehaviours of the next conversations, one for each. */
  next(...misbehaviours: SmtpMisbehaviour[]): void {
    this.#misbehaviours.push(...misbehaviours);
  }

  /** Sets the misbehaviour of every conversation until the next call. */
  always(misbehaviour: SmtpMisbehaviour | undefined): void {
    this.#always = misbehaviour;
  }

  #serverOptions(): SMTPServerOptions {
    const { needsLogin = false, offersStartTls = false, noAuth = false } = this.#options;
    return {
      authOptional: !needsLogin,
      disabledCommands: [...(offersStartTls ? [] : ["STARTTLS"]), ...(noAuth ? ["AUTH"] : [])],
      allowInsecureAuth: true,
      closeTimeout: 100,
      // The peer does not hang up on a client that waits for less than an hour.
      socketTimeout: 3_600_000,
      disableReverseLookup: true,
      ...(this.#options.maxBytes === undefined ? {} : { size: this.#options.maxBytes }),
      onAuth: ({ username, password }, { id }, done) => {
        this.sentPasswords.push(password ?? "");
        const { login: reply } = this.#misbehaviourFor(id);
        const right =
          reply === 235 || (username === SMTP_LOGIN.user && password === SMTP_LOGIN.password);
        const wrong = right ? null : createReplyError(535, "wrong user or password");
        const answer = reply && reply !== 235 ? createReplyError(reply, "login refused") : wrong;
        void this.#waitAt("login", id).then(() => done(answer, { user: username }));
      },
      onConnect: ({ id }, done) => {
        this.openConnections += 1;
        void this.#waitAt("greeting", id).then(() => done());
      },
      onClose: ({ id }) => {
        this.openConnections -= 1;
        this.#misbehaviourBySession.delete(id);
      },
      onMailFrom: ({ args }, { id, hostNameAppearsAs }, done) => {
        this.attempts += 1;
        this.clientNames.push(hostNameAppearsAs);
        // The peer rejects addresses outside ASCII, like a server without SMTPUTF8.
        const needsUtf8 = typeof args === "object" && "SMTPUTF8" in args;
        const sender = needsUtf8
          ? "553 5.6.7 SMTPUTF8 is not supported"
          : this.#misbehaviourFor(id).sender;
        const answer = sender ? createReplyError(sender, "sender refused") : null;
        void this.#waitAt("sender", id).then(() => done(answer));
      },
      onRcptTo: ({ address }, { id }, done) => {
        const status = this.#misbehaviourFor(id).recipients?.[address];
        const answer = status ? createReplyError(status, `${address} refused`) : null;
        void this.#waitAt("recipient", id).then(() => done(answer));
      },
      onData: (stream, session, done) => {
        const { id } = session;
        const { data, dropsAfterData } = this.#misbehaviourFor(id);
        text(stream).then(async (raw) => {
          const { onRawMail } = this.#options;
          if (onRawMail) onRawMail(raw);
          else if (!data) {
            const { mailFrom, rcptTo } = session.envelope;
            this.mails.push({
              envelopeFrom: mailFrom ? mailFrom.address : "",
              envelopeTo: rcptTo.map(({ address }) => address),
              raw,
              parsed: await simpleParser(raw),
            });
          }
          if (dropsAfterData) return this.#socket(id)?.resetAndDestroy();
          await this.#waitAt("finalDot", id);
          done(data ? createReplyError(data, "message refused") : null);
        }, done);
      },
    };
  }

  #misbehaviourFor(id: string): SmtpMisbehaviour {
    const plan =
      this.#misbehaviourBySession.get(id) ?? this.#misbehaviours.shift() ?? this.#always ?? {};
    this.#misbehaviourBySession.set(id, plan);
    return plan;
  }

  async #waitAt(step: keyof SlowAnswers, id: string): Promise<void> {
    await this.#misbehaviourFor(id).slow?.[step]?.();
  }

  #socket(id: string) {
    return [...this.#server.connections].find(({ session }) => session.id === id)?._socket;
  }
}

function createReplyError(reply: SmtpReply, message: string): Error {
  const responseCode = Number.parseInt(String(reply), 10);
  return Object.assign(new Error(typeof reply === "string" ? reply : message), { responseCode });
}
