/** The connections to the mail server. One that has carried a mail stays open for the next: a handshake and a login less. */
import SMTPConnection from "nodemailer/lib/smtp-connection";
import type { SMTPTransportOptions } from "nodemailer/lib/smtp-transport";

/** Shorter than the idle limits of servers and routers, which are of minutes. */
const KEPT_FOR_MS = 30_000;
/** As many as the worker sends side by side. */
const MOST_KEPT = 4;
/** Mails over one connection. Providers take a hundred and more. */
const MOST_MAILS = 50;
/** How long to wait for the answer to QUIT. */
const QUIT_LIMIT_MS = 1_000;

interface Events {
  /** A command that left, or an answer that came, in nodemailer's words. */
  line: (entry: { tnx?: string }, text?: string) => void;
  /** The connection is gone. */
  gone: (error: unknown) => void;
}
const NO_EVENTS: Events = { line: () => undefined, gone: () => undefined };

export class MailConnection {
  readonly smtp: SMTPConnection;
  /** The mails that the server took over it. */
  mails = 0;
  /** Called now for what happens on it. */
  events = NO_EVENTS;

  constructor(options: ConstructorParameters<typeof SMTPConnection>[0]) {
    this.smtp = new SMTPConnection({
      ...options,
      transactionLog: true,
      logger: {
        debug: (...told: Parameters<Events["line"]>) => this.events.line(...told),
        info: () => undefined,
      },
    });
    // For as long as it lives: an error that nobody hears would end the process.
    this.smtp.on("error", (error) => this.events.gone(error));
    this.smtp.on("end", () => this.events.gone(new Error("the connection was closed")));
  }
}

export class MailConnections {
  readonly options: SMTPTransportOptions;
  /** Connected and logged in, the last used last, each with the timer of its idle time. */
  readonly #kept = new Map<MailConnection, NodeJS.Timeout>();
  #closed = false;

  constructor(options: SMTPTransportOptions) {
    this.options = options;
  }

  /** The connection that was used last: the others may reach their idle time. */
  takeKept(): MailConnection | undefined {
    const connection = [...this.#kept.keys()].at(-1);
    if (connection) this.#release(connection);
    return connection;
  }

  /** For the next mail, after the server has taken one. */
  async keep(connection: MailConnection): Promise<void> {
    connection.mails += 1;
    const isFull = this.#kept.size >= MOST_KEPT || connection.mails >= MOST_MAILS;
    if (isFull || this.#closed) return quit(connection);
    const timer = setTimeout(() => {
      this.#release(connection);
      void quit(connection);
    }, KEPT_FOR_MS);
    this.#kept.set(connection, timer);
    // The server may end it whenever it wants.
    connection.events = { ...NO_EVENTS, gone: () => this.#release(connection) };
  }

  /** Quits the idle connections; mails under way end by themselves. Resolves within a second. */
  async close(): Promise<void> {
    this.#closed = true;
    const kept = [...this.#kept.keys()];
    for (const connection of kept) this.#release(connection);
    await Promise.all(kept.map(quit));
  }

  #release(connection: MailConnection): void {
    clearTimeout(this.#kept.get(connection));
    this.#kept.delete(connection);
    connection.events = NO_EVENTS;
  }
}

function quit(connection: MailConnection): Promise<void> {
  return new Promise((resolve) => {
    const { smtp } = connection;
    const gone = () => {
      clearTimeout(limit);
      smtp.close();
      resolve();
    };
    const limit = setTimeout(gone, QUIT_LIMIT_MS);
    connection.events = { ...NO_EVENTS, gone };
    smtp.quit();
  });
}
