import { SMTPServer } from "smtp-server";

const ASKS_FOR_MESSAGE = 354;
const ACCEPTED = 250;
const GOODBYE = 221;
const NO_RECIPIENTS = "Error: need RCPT command";

/** Greets at once. smtp-server itself waits for 100 ms, to catch clients that send before the greeting. */
export class PromptSmtpServer extends SMTPServer {
  /** Asks for the message even after it rejected every recipient, as a server with PIPELINING may. */
  asksWithoutRecipients = false;
  /** Sends one more reply with the request for the message, as a server whose replies have lost their order. */
  acceptsEarly = false;
  /** Number of clients that said QUIT. */
  quits = 0;
  beforeMessage: (sessionId: string) => Promise<void> = async () => undefined;

  override connect(...connection: Parameters<SMTPServer["connect"]>): void {
    super.connect(...connection);
    const opened = [...this.connections].at(-1);
    opened?.connectionReady();
    if (!opened) return;
    // smtp-server would call `connectionReady` again after 100 ms.
    opened.connectionReady = () => undefined;
    const send = opened.send.bind(opened);
    opened.send = (status, words, ...rest) => {
      if (status === GOODBYE) this.quits += 1;
      // A reply that has its own status is sent unchanged, because smtp-server would join the lines of the reply.
      const isWhole = typeof words === "string" && /^\d+[ -]/.test(words);
      const say = () =>
        isWhole
          ? opened._socket.write(`${words.replaceAll("\n", "\r\n")}\r\n`)
          : send(status, words, ...rest);
      const ask = () => {
        opened._socket.cork();
        say();
        if (this.acceptsEarly) send(ACCEPTED, "Ok");
        opened._socket.uncork();
      };
      if (this.asksWithoutRecipients && words === NO_RECIPIENTS) send(ASKS_FOR_MESSAGE, "Go on");
      else if (status === ASKS_FOR_MESSAGE) void this.beforeMessage(opened.session.id).then(ask);
      else say();
    };
  }
}
