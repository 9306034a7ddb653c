import { SMTPServer } from "smtp-server";

/** Greets at once; smtp-server itself waits for 100 ms, to catch clients that talk before they are greeted. */
export class PromptSmtpServer extends SMTPServer {
  override connect(...connection: Parameters<SMTPServer["connect"]>): void {
    super.connect(...connection);
    const begun = [...this.connections].at(-1);
    begun?.connectionReady();
    // What is called after the 100 ms.
    if (begun) begun.connectionReady = () => undefined;
  }
}
