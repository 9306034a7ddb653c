/**
 * A mail server to test against: it holds a real SMTP conversation, keeps the mails that it took, parsed,
 * and refuses or defers when told to.
 */
import { text } from "node:stream/consumers";
import { type ParsedMail, simpleParser } from "mailparser";
import type { SMTPServerOptions } from "smtp-server";
import { portOf } from "#testing/peers/port-of.ts";
import { PromptSmtpServer } from "#testing/peers/prompt-smtp-server.ts";

export interface ReceivedMail {
  envelopeFrom: string;
  /** Only the recipients that were taken. */
  envelopeTo: string[];
  receivedAt: number;
  /** As it came over the wire. */
  raw: string;
  parsed: ParsedMail;
}

/** A status, such as 451, or a status with its words: `550-5.7.26 …\n550 5.7.26 …`. */
type SmtpReply = number | string;

/** How the peer answers the next conversation. */
export interface SmtpMisbehaviour {
  /** At AUTH, which comes first. */
  login?: SmtpReply;
  /** At MAIL FROM. */
  sender?: SmtpReply;
  /** At RCPT TO, per recipient. */
  recipients?: Record<string, SmtpReply>;
  /** After the message. */
  data?: SmtpReply;
  /** Takes the message, then drops the connection instead of saying so. */
  dropsAfterData?: boolean;
  /** Takes the message, and never says so. */
  hangsAfterData?: boolean;
  /** How long it thinks before each answer, in milliseconds, or until a promise resolves; a function is asked each time. */
  slow?: SlowAnswers;
}

type Wait = number | Promise<unknown> | (() => number);

interface SlowAnswers {
  sender?: Wait;
  recipient?: Wait;
  /** At DATA: before it asks for the message. */
  data?: Promise<unknown>;
  /** After it has read the first bytes of the message. */
  block?: Promise<unknown>;
  /** At the final dot: the message is taken by then. */
  finalDot?: Wait;
}

export const SMTP_LOGIN = { user: "site", password: "a-password-of-the-peer" };

export interface SmtpPeerOptions {
  /** Whether a login is needed; then it is taken in clear text too, as this peer is on loopback. */
  login?: boolean;
  /** Offers STARTTLS with smtp-server's own self-signed certificate. */
  startTls?: boolean;
  /** How long it thinks before it greets. */
  greeting?: Wait;
  /** The largest mail that it says it takes. */
  maxBytes?: number;
  /** Is told each mail as it came, which is then neither parsed nor kept: for very many. */
  glance?: (raw: string, receivedAt: number) => void;
}

export class SmtpPeer {
  readonly mails: ReceivedMail[] = [];
  /** Mails that came as far as MAIL FROM. */
  attempts = 0;
  /** Connections that are open now, and the most that were open at once. */
  open = 0;
  mostOpen = 0;
  /** The steps that it was asked for, in order, before it answered them. */
  readonly steps: (keyof SlowAnswers | "greeting")[] = [];
  /** How clients named themselves at EHLO. */
  readonly names: string[] = [];
  /** Passwords that were tried, so that a test can prove that none travelled. */
  readonly logins: string[] = [];
  #misbehaviours: SmtpMisbehaviour[] = [];
  #always: SmtpMisbehaviour | undefined;
  /** What was drawn for each conversation under way, by its session. */
  readonly #current = new Map<string, SmtpMisbehaviour>();
  readonly #options: SmtpPeerOptions;
  readonly #server: PromptSmtpServer;

  constructor(options: SmtpPeerOptions = {}) {
    this.#options = options;
    this.#server = new PromptSmtpServer(this.#serverOptions());
    this.#server.beforeMessage = (id) => {
      this.steps.push("data");
      return this.#current.get(id)?.slow?.data;
    };
    this.#server.on("error", () => {
      // A client that drops its connection is part of the tests.
    });
  }

  /** Listens on 127.0.0.1; returns the address for SMTP_URL. */
  async start(port = 0): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(port, "127.0.0.1", resolve));
    return this.url;
  }

  get url(): string {
    const login = this.#options.login ? `${SMTP_LOGIN.user}:${SMTP_LOGIN.password}@` : "";
    return `smtp://${login}127.0.0.1:${this.port}`;
  }

  get port(): number {
    return portOf(this.#server.server);
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(resolve));
  }

  [Symbol.asyncDispose]() {
    return this.stop();
  }

  /** Misbehaves in the next conversation; several calls queue up. */
  next(...misbehaviours: SmtpMisbehaviour[]): void {
    this.#misbehaviours.push(...misbehaviours);
  }

  /** Misbehaves in every conversation until told otherwise. */
  always(misbehaviour: SmtpMisbehaviour | undefined): void {
    this.#always = misbehaviour;
  }

  #serverOptions(): SMTPServerOptions {
    const { login = false, startTls = false } = this.#options;
    return {
      authOptional: !login,
      disabledCommands: startTls ? [] : ["STARTTLS"],
      allowInsecureAuth: true,
      closeTimeout: 100,
      disableReverseLookup: true,
      ...(this.#options.maxBytes === undefined ? {} : { size: this.#options.maxBytes }),
      onAuth: ({ username, password }, { id }, done) => {
        this.logins.push(password ?? "");
        const { login: reply } = this.#drawn(id);
        if (reply && reply !== 235) return done(replyWith(reply, "login refused"));
        const right =
          reply === 235 || (username === SMTP_LOGIN.user && password === SMTP_LOGIN.password);
        done(right ? null : replyWith(535, "wrong user or password"), { user: username });
      },
      onConnect: (_session, done) => {
        this.open += 1;
        this.mostOpen = Math.max(this.mostOpen, this.open);
        this.steps.push("greeting");
        void after(this.#options.greeting, done);
      },
      onClose: ({ id }) => {
        this.open -= 1;
        this.#current.delete(id);
      },
      onMailFrom: (_address, { id, hostNameAppearsAs }, done) => {
        this.attempts += 1;
        this.steps.push("sender");
        this.names.push(hostNameAppearsAs);
        const { sender, slow } = this.#drawn(id);
        void after(slow?.sender, () => done(sender ? replyWith(sender, "sender refused") : null));
      },
      onRcptTo: ({ address }, { id }, done) => {
        this.steps.push("recipient");
        const { recipients, slow } = this.#current.get(id) ?? {};
        const status = recipients?.[address];
        void after(slow?.recipient, () =>
          done(status ? replyWith(status, `${address} refused`) : null),
        );
      },
      onData: (stream, session, done) => {
        const { data, dropsAfterData, hangsAfterData, slow } = this.#drawn(session.id);
        const socket = this.#socket(session.id);
        if (slow?.block) {
          // It reads nothing of the message for as long as that.
          this.steps.push("block");
          socket?.pause();
          void slow.block.then(() => socket?.resume());
        }
        text(stream).then(async (raw) => {
          this.steps.push("finalDot");
          const receivedAt = Date.now();
          const { glance } = this.#options;
          if (glance) {
            glance(raw, receivedAt);
            return after(slow?.finalDot, done);
          }
          const parsed = await simpleParser(raw);
          if (data) return after(slow?.finalDot, () => done(replyWith(data, "message refused")));
          this.mails.push({
            envelopeFrom: session.envelope.mailFrom ? session.envelope.mailFrom.address : "",
            envelopeTo: session.envelope.rcptTo.map(({ address }) => address),
            receivedAt,
            raw,
            parsed,
          });
          if (dropsAfterData) return socket?.resetAndDestroy();
          return hangsAfterData ? undefined : after(slow?.finalDot, done);
        }, done);
      },
    };
  }

  /** How this conversation goes. */
  #drawn(id: string): SmtpMisbehaviour {
    const drawn = this.#current.get(id) ?? this.#misbehaviours.shift() ?? this.#always ?? {};
    this.#current.set(id, drawn);
    return drawn;
  }

  #socket(id: string) {
    return [...this.#server.connections].find(({ session }) => session.id === id)?._socket;
  }
}

/** The answer waits for its time; it does not keep a test alive that is over. */
async function after(wait: Wait | undefined, answer: () => void): Promise<void> {
  if (typeof wait === "number" || typeof wait === "function") {
    setTimeout(answer, typeof wait === "number" ? wait : wait()).unref();
    return;
  }
  await wait;
  answer();
}

/** smtp-server writes the status before each line by itself. */
function replyWith(reply: SmtpReply, message: string): Error {
  const responseCode = Number.parseInt(String(reply), 10);
  const words = String(reply).replaceAll(/^\d{3}[ -]?/gm, "");
  return Object.assign(new Error(words || message), { responseCode });
}
