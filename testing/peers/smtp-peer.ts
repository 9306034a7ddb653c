/**
 * A mail server to test against: it holds a real SMTP conversation, keeps the mails that it took, parsed,
 * and refuses or defers when told to.
 */
import type { AddressInfo } from "node:net";
import { type ParsedMail, simpleParser } from "mailparser";
import type { SMTPServerOptions } from "smtp-server";
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

/** How the peer answers the next conversation. Each is an SMTP status, such as 451 or 550. */
export interface SmtpMisbehaviour {
  /** At MAIL FROM. */
  sender?: number;
  /** Resets the connection at MAIL FROM. */
  dropsAtSender?: boolean;
  /** At RCPT TO, per recipient. */
  recipients?: Record<string, number>;
  /** After the message. */
  data?: number;
  /** Takes the message, then drops the connection instead of saying so. */
  dropsAfterData?: boolean;
  /** Asks for the message, and reads none of it. */
  stopsReading?: boolean;
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
  /** At the final dot: the message is taken by then. */
  finalDot?: Wait;
}

export const SMTP_LOGIN = { user: "site", password: "a-password-of-the-peer" };

export interface SmtpPeerOptions {
  /** Whether a login is needed; then it is taken in clear text too, as this peer is on loopback. */
  login?: boolean;
  /** Offers STARTTLS with smtp-server's own self-signed certificate. */
  startTls?: boolean;
  /** Takes the connection, and never greets. */
  silent?: boolean;
  /** Refuses MAIL FROM after so many mails on one connection. */
  mailsPerConnection?: number;
  /** Is told each mail as it came, which is then neither parsed nor kept: for very many. */
  glance?: (raw: string, receivedAt: number) => void;
}

export class SmtpPeer {
  readonly mails: ReceivedMail[] = [];
  /** Mails that came as far as MAIL FROM. */
  attempts = 0;
  /** Connections in all, those that are open now, and the most that were open at once. */
  connections = 0;
  open = 0;
  mostOpen = 0;
  /** Connections that were ended with QUIT. */
  farewells = 0;
  /** Passwords that were tried, so that a test can prove that none travelled. */
  readonly logins: string[] = [];
  #misbehaviours: SmtpMisbehaviour[] = [];
  #always: SmtpMisbehaviour | undefined;
  /** What was drawn for each conversation under way, by its session. */
  readonly #current = new Map<string, SmtpMisbehaviour>();
  /** The mails that began on each connection, by its session. */
  readonly #begun = new Map<string, number>();
  readonly #options: SmtpPeerOptions;
  readonly #server: PromptSmtpServer;

  constructor(options: SmtpPeerOptions = {}) {
    this.#options = options;
    this.#server = new PromptSmtpServer(this.#serverOptions());
    this.#server.beforeMessage = (id) => this.#current.get(id)?.slow?.data;
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
    return addressOf(this.#server.server.address()).port;
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(resolve));
    // A client that keeps its connection for the next mail would be waited for.
    for (const { session, _socket } of this.#server.connections) {
      if (!session.envelope.mailFrom) _socket.end();
    }
    await closed;
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
      logger: {
        debug: ({ command }: { command?: string }) => {
          if (command === "QUIT") this.farewells += 1;
        },
      },
      onAuth: ({ username, password }, _session, done) => {
        this.logins.push(password ?? "");
        const right = username === SMTP_LOGIN.user && password === SMTP_LOGIN.password;
        done(right ? null : replyWith(535, "wrong user or password"), { user: username });
      },
      onConnect: (_session, done) => {
        this.connections += 1;
        this.open += 1;
        this.mostOpen = Math.max(this.mostOpen, this.open);
        if (!this.#options.silent) done();
      },
      onClose: ({ id }) => {
        this.open -= 1;
        this.#current.delete(id);
        this.#begun.delete(id);
      },
      onMailFrom: (_address, { id }, done) => {
        this.attempts += 1;
        const begun = (this.#begun.get(id) ?? 0) + 1;
        this.#begun.set(id, begun);
        if (begun > (this.#options.mailsPerConnection ?? begun)) {
          return done(replyWith(451, "too many mails on this connection"));
        }
        const current = this.#misbehaviours.shift() ?? this.#always ?? {};
        this.#current.set(id, current);
        if (current.dropsAtSender) return this.hangUp("reset");
        void after(current.slow?.sender, () =>
          done(current.sender ? replyWith(current.sender, "sender refused") : null),
        );
      },
      onRcptTo: ({ address }, { id }, done) => {
        const { recipients, slow } = this.#current.get(id) ?? {};
        const status = recipients?.[address];
        void after(slow?.recipient, () =>
          done(status ? replyWith(status, `${address} refused`) : null),
        );
      },
      onData: (stream, session, done) => {
        const current = this.#current.get(session.id) ?? {};
        const { data, dropsAfterData, hangsAfterData, stopsReading, slow } = current;
        if (stopsReading) return this.deafen();
        const { glance } = this.#options;
        if (glance) {
          textOf(stream).then((raw) => {
            glance(raw, Date.now());
            void after(slow?.finalDot, done);
          }, done);
          return;
        }
        textOf(stream).then(async (raw) => {
          const parsed = await simpleParser(raw);
          const receivedAt = Date.now();
          if (data) return after(slow?.finalDot, () => done(replyWith(data, "message refused")));
          this.mails.push({
            envelopeFrom: session.envelope.mailFrom ? session.envelope.mailFrom.address : "",
            envelopeTo: session.envelope.rcptTo.map(({ address }) => address),
            receivedAt,
            raw,
            parsed,
          });
          if (dropsAfterData) return this.hangUp("reset");
          return hangsAfterData ? undefined : after(slow?.finalDot, done);
        }, done);
      },
    };
  }

  /** Ends every connection: as a server does that has waited for long, that stops, or that has died. */
  hangUp(how: "silently" | "with 421" | "reset"): void {
    for (const connection of this.#server.connections) {
      if (how === "reset") connection._socket.resetAndDestroy();
      if (how === "with 421") connection.send(421, "closing");
      if (how !== "reset") connection._socket.end();
    }
  }

  /** Reads nothing more on the connections that are open now. */
  deafen(): void {
    for (const connection of this.#server.connections) connection._socket.pause();
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

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function replyWith(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === "string") throw new Error("the peer is not listening");
  return address;
}
