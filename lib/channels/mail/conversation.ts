/** One conversation with a mail server: one mail, each answer within its limit. */
import { Readable } from "node:stream";
import { MailConnection, type MailConnections } from "#lib/channels/mail/connections.ts";
import { type SmtpFault, type SmtpStage, stageOfCommand } from "#lib/channels/mail/error-codes.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** How long to wait for each answer: RFC 5321 section 4.5.3.2. A shorter wait makes copies of mails. */
export const SMTP_LIMITS = {
  /** Everything until the greeting, and until encryption after STARTTLS. Nothing can be doubled here. */
  opening: 10 * SECOND,
  /** MAIL and RCPT. The RFC names no limit for EHLO and AUTH. */
  command: 5 * MINUTE,
  data: 2 * MINUTE,
  /** Until the server has taken one block of the message. */
  block: 3 * MINUTE,
  finalDot: 10 * MINUTE,
} as const;
export type SmtpLimits = Readonly<Record<keyof typeof SMTP_LIMITS, number>>;

/** Backstop for a server that answers each command just in time: no conversation lasts longer. */
export const LONGEST_CONVERSATION_MS = 30 * MINUTE;
const BLOCK_BYTES = 16 * 1_024;

export interface Letter {
  from: string;
  to: readonly string[];
  /** The whole message, as it goes over the wire. */
  content: Buffer;
}

export type ConversationEnd =
  /** Taken for every recipient but these. */
  | { ended: "taken"; refused: ReadonlyMap<string, SmtpFault> }
  /** Not taken, or nobody knows: `fault.left` tells which. */
  | { ended: "failed"; fault: SmtpFault; refused: ReadonlyMap<string, SmtpFault> }
  /** `mayLeave` said no; the server got no message. */
  | { ended: "held" };

interface Terms {
  /** Asked once, when the server is ready for the message and before its first byte leaves. */
  mayLeave: () => Promise<boolean>;
  signal: AbortSignal;
  limits?: SmtpLimits;
}

/**
 * Sends the letter over a kept connection, if there is one. If that proves dead, or the server takes no second
 * mail over it, the letter goes over a new one: nothing of it has left before. Never throws; a signal that
 * aborts ends the conversation where it stands.
 */
export async function converse(
  connections: MailConnections,
  letter: Letter,
  terms: Terms,
): Promise<ConversationEnd> {
  const kept = connections.takeKept();
  if (kept) {
    let begun = false;
    const mayLeave = () => {
      begun = true;
      return terms.mayLeave();
    };
    const end = await carry(kept, connections, letter, { ...terms, mayLeave });
    const worn = end.ended === "failed" && !begun && isOfConnection(end.fault);
    if (!worn || terms.signal.aborted) return end;
  }
  const { limits = SMTP_LIMITS } = terms;
  const fresh = new MailConnection({
    ...connections.options,
    connectionTimeout: limits.opening,
    greetingTimeout: limits.opening,
    // nodemailer has one limit for all answers. Ours are shorter, one for each stage.
    socketTimeout: LONGEST_CONVERSATION_MS,
  });
  return carry(fresh, connections, letter, terms);
}

/** No answer, a farewell, or a refusal that comes before the mail's recipients are known. */
function isOfConnection({ status, stage }: SmtpFault): boolean {
  return status === undefined || status === 421 || stage === "sender";
}

function carry(
  connection: MailConnection,
  connections: MailConnections,
  letter: Letter,
  { mayLeave, signal, limits = SMTP_LIMITS }: Terms,
): Promise<ConversationEnd> {
  const { smtp } = connection;
  const isOpen = connection.mails > 0;
  const clock = new StageClock(limits, isOpen);
  return new Promise((resolve) => {
    let held = false;
    const end = (ending: ConversationEnd) => {
      // The first end counts: closing the connection calls this once more.
      resolve(ending);
      clock.stop();
      signal.removeEventListener("abort", abort);
      if (ending.ended === "taken") void connections.keep(connection);
      else smtp.close();
    };
    const fail = (error: unknown) => {
      if (held) return end({ ended: "held" });
      end({ ended: "failed", fault: clock.faultOf(error), refused: refusedIn(error, clock) });
    };
    const abort = () => fail(new Error("cut off"));
    clock.onTimeout = () => fail({ code: "ETIMEDOUT" });
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    connection.events = { line: clock.line, gone: fail };

    async function* message() {
      held = !(await mayLeave().catch(() => false));
      if (held) throw new Error("held back");
      yield* clock.watched(letter.content);
    }
    const send = () => {
      const envelope = { from: letter.from, to: [...letter.to], size: letter.content.length };
      const content = Readable.from(message(), { objectMode: false });
      smtp.send(envelope, content, (error, taken) =>
        error ? fail(error) : end({ ended: "taken", refused: refusedIn(taken, clock) }),
      );
    };
    if (isOpen) return send();
    const { auth } = connections.options;
    smtp.connect((error) => {
      if (error) fail(error);
      else if (!auth || !smtp.allowsAuth) send();
      else smtp.login(auth, (denied) => (denied ? fail(denied) : send()));
    });
  });
}

/**
 * Where a conversation stands, and how long it may stand there. nodemailer logs each command and each answer; only
 * which commands are unanswered is kept of that. With PIPELINING there may be several.
 */
class StageClock {
  onTimeout: () => void = () => undefined;
  readonly #limits: SmtpLimits;
  readonly #isOpen: boolean;
  readonly #unanswered: SmtpStage[] = [];
  #stage: SmtpStage = "connect";
  #left = false;
  #timer: NodeJS.Timeout | undefined;

  /** `isOpen`: over a connection that was kept. */
  constructor(limits: SmtpLimits, isOpen: boolean) {
    this.#limits = limits;
    this.#isOpen = isOpen;
  }

  readonly line = (entry: { tnx?: string }, text?: string) => {
    if (entry.tnx === "client") this.#unanswered.push(stageOfCommand(text));
    else if (entry.tnx === "server") this.#unanswered.shift();
    else return;
    this.#await();
  };

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** The message in blocks, each with its limit. It counts as out once the last one is handed over. */
  async *watched(content: Buffer): AsyncGenerator<Buffer> {
    this.#stage = "message";
    for (let at = 0; at < content.length; at += BLOCK_BYTES) {
      this.#limit(this.#limits.block);
      yield content.subarray(at, at + BLOCK_BYTES);
    }
    this.#left = true;
    this.#limit(this.#limits.finalDot);
  }

  faultOf(error: unknown): SmtpFault {
    return faultIn(error, { stage: this.#stage, left: this.#left });
  }

  #await(): void {
    const [next] = this.#unanswered;
    if (next === undefined) return;
    this.#stage = next;
    this.#limit(this.#limitOf(next));
  }

  #limitOf(command: SmtpStage): number {
    // A kept connection may be dead without notice. On a new one a slow server gets its time.
    if (command === "sender" && this.#isOpen) return this.#limits.opening;
    return command === "data" ? this.#limits.data : this.#limits.command;
  }

  #limit(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.onTimeout(), ms);
  }
}

/** What an error of nodemailer's says; `known` is what it does not say itself. */
export function faultIn(error: unknown, known: Pick<SmtpFault, "stage" | "left">): SmtpFault {
  const part = (name: string): unknown =>
    typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined;
  const text = (name: string) => {
    const value = part(name);
    return typeof value === "string" ? value : undefined;
  };
  const status = part("responseCode");
  return {
    stage: stageIn(text("code"), text("command")) ?? known.stage,
    status: typeof status === "number" && status > 0 ? status : undefined,
    code: text("code"),
    systemCode: text("originalCode"),
    left: known.left,
  };
}

/** The step that nodemailer names: its CONN and API are no commands. */
function stageIn(code: string | undefined, command: string | undefined): SmtpStage | undefined {
  if (code === "ETLS") return "tls";
  // nodemailer itself holds back a message that is larger than the server says it takes.
  if (code === "EMESSAGE") return command === "MAIL FROM" ? "size" : "message";
  if (command === undefined || command === "CONN" || command === "API") return undefined;
  return stageOfCommand(command);
}

/** What the server said about single recipients; nodemailer puts it into its errors and its results. */
function refusedIn(told: unknown, clock: StageClock): Map<string, SmtpFault> {
  const errors: unknown =
    typeof told === "object" && told !== null ? Reflect.get(told, "rejectedErrors") : undefined;
  const refused = new Map<string, SmtpFault>();
  for (const error of Array.isArray(errors) ? errors : []) {
    const recipient: unknown = error instanceof Error && Reflect.get(error, "recipient");
    if (typeof recipient === "string") refused.set(recipient, clock.faultOf(error));
  }
  return refused;
}
