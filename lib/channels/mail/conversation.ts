/** One conversation with a mail server, over a connection of its own: one mail, or a look that sends nothing. */
import { Readable } from "node:stream";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { faultIn, refusalsIn, type SmtpFault, type SmtpStep } from "#lib/channels/mail/fault.ts";

const MINUTE = 60_000;

/** How long to wait at each step: RFC 5321 section 4.5.3.2. A shorter wait makes copies of mails. */
export const SMTP_LIMITS = {
  /** Until the server has greeted and TLS stands; and once more for the login. */
  opening: 5 * MINUTE,
  /** Each answer to MAIL and RCPT. */
  envelope: 5 * MINUTE,
  data: 2 * MINUTE,
  /** Until the server has taken one block of the message. */
  block: 3 * MINUTE,
  finalDot: 10 * MINUTE,
} as const;
export type SmtpLimits = Readonly<Record<keyof typeof SMTP_LIMITS, number>>;
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

interface Terms {
  signal: AbortSignal;
  /** Asked once, when the server is ready for the message and before its first byte leaves. */
  mayLeave?: () => Promise<boolean>;
  limits?: SmtpLimits;
}

export type ConversationEnd =
  /** Taken for every recipient but these. */
  | { ended: "taken"; refused: ReadonlyMap<string, SmtpFault> }
  /** Not taken, or nobody knows: `fault.left` tells which. */
  | { ended: "failed"; fault: SmtpFault; refused: ReadonlyMap<string, SmtpFault> }
  /** `mayLeave` said no; the server got no message. */
  | { ended: "held" };

/** Never throws; a signal that aborts ends the conversation where it stands. Without a letter it only logs in. */
export function converse(
  options: SmtpOptions,
  letter: Letter | undefined,
  { signal, mayLeave = async () => true, limits = SMTP_LIMITS }: Terms,
): Promise<ConversationEnd> {
  return new Promise((resolve) => {
    let held = false;
    const watch = new Watch(limits, letter, () => fail({ code: "ETIMEDOUT" }));
    const smtp = new SMTPConnection({
      ...options,
      connectionTimeout: limits.opening,
      greetingTimeout: limits.opening,
      transactionLog: true,
      logger: { debug: ({ tnx }: { tnx?: string }) => tnx === "server" && watch.heard() },
    });
    const end = (ended: ConversationEnd) => {
      // The first end counts: closing the connection comes here once more.
      resolve(ended);
      watch.stop();
      signal.removeEventListener("abort", cutOff);
    };
    const fail = (error: unknown) => {
      const fault = faultIn(error, watch);
      end(held ? { ended: "held" } : { ended: "failed", fault, refused: refusalsIn(error, watch) });
      smtp.close();
    };
    const cutOff = () => fail(new Error("cut off"));
    const succeed = (told?: unknown) => {
      end({ ended: "taken", refused: refusalsIn(told, watch) });
      smtp.quit();
      setTimeout(() => smtp.close(), FAREWELL_MS).unref();
    };
    async function* message({ content }: Letter) {
      held = !(await mayLeave().catch(() => false));
      if (held) throw new Error("held back");
      for (let at = 0; at < content.length; at += BLOCK_BYTES) {
        watch.wait("message", limits.block);
        yield content.subarray(at, at + BLOCK_BYTES);
      }
      watch.left = true;
      watch.wait("message", limits.finalDot);
    }
    const send = () => {
      if (!letter) return succeed();
      watch.beginEnvelope();
      const envelope = { from: letter.from, to: [...letter.to], size: letter.content.length };
      const stream = Readable.from(message(letter), { objectMode: false });
      smtp.send(envelope, stream, (error, told) => (error ? fail(error) : succeed(told)));
    };
    smtp.on("error", fail);
    // What the server said at the end comes after this.
    smtp.on("end", () => setImmediate(fail, new Error("the connection was closed")));
    if (signal.aborted) return cutOff();
    signal.addEventListener("abort", cutOff, { once: true });
    watch.wait("connect", limits.opening);
    smtp.connect((error) => {
      if (error) return fail(error);
      if (!options.auth || !smtp.allowsAuth) return send();
      watch.wait("login", limits.opening);
      smtp.login(options.auth, (denied) => (denied ? fail(denied) : send()));
    });
  });
}

/** Where a conversation stands, and how long it may stand there. */
class Watch {
  step: SmtpStep = "connect";
  left = false;
  readonly sent: string;
  readonly #limits: SmtpLimits;
  readonly #recipients: number;
  readonly #onTimeout: () => void;
  #timer: NodeJS.Timeout | undefined;
  /** The steps of the envelope whose answers have not come, in order; with PIPELINING all are asked for at once. */
  #unanswered: SmtpStep[] = [];

  constructor(limits: SmtpLimits, letter: Letter | undefined, onTimeout: () => void) {
    this.#limits = limits;
    this.#recipients = letter?.to.length ?? 0;
    this.sent = letter?.words ?? "";
    this.#onTimeout = onTimeout;
  }

  wait(step: SmtpStep, ms: number): void {
    this.step = step;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onTimeout, ms);
  }

  beginEnvelope(): void {
    const recipients = Array.from({ length: this.#recipients }, () => "recipient" as const);
    this.#unanswered = ["sender", ...recipients, "data"];
    this.heard();
  }

  /** An answer has come. */
  heard(): void {
    const next = this.#unanswered.shift();
    if (next) this.wait(next, next === "data" ? this.#limits.data : this.#limits.envelope);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
