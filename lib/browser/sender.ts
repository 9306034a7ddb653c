/**
 * Sends the applications of this device, in pages and in the service worker. Several of them may send one application
 * at once: it has one key, so the server stores it once and gives each of them the same number.
 */
import { requestBackgroundSync } from "#lib/browser/background.ts";
import { isWaiting, type Kept, type SendOutcome } from "#lib/browser/entry.ts";
import { type Outbox, outbox } from "#lib/browser/outbox.ts";
import { sendApplication } from "#lib/browser/send-application.ts";

const FIRST_RETRY_SECONDS = 5;
const LONGEST_RETRY_SECONDS = 300;

const BROWSER_DEPS = { outbox, send: sendApplication, requestBackgroundSync };

export interface SenderDeps extends Omit<typeof BROWSER_DEPS, "outbox"> {
  outbox: Outbox;
}

export class Sender {
  readonly #deps: SenderDeps;
  readonly #requests = new Map<string, Promise<SendOutcome>>();
  #running: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;

  constructor(deps: SenderDeps = BROWSER_DEPS) {
    this.#deps = deps;
  }

  /** Writes an application to the disk, then sends it. `stored` resolves to true once it is on the disk. */
  submit(kept: Kept): { stored: Promise<boolean>; outcome: Promise<SendOutcome> } {
    const stored = this.#deps.outbox.keep(kept);
    const outcome = stored.then(async (isStored) => {
      // The tab may close during the request.
      if (isStored) void this.#deps.requestBackgroundSync();
      const result = await this.send(kept);
      if (result.kind === "later") await this.#leaveForLater(kept, isStored);
      return result;
    });
    return { stored, outcome };
  }

  /** A call while the application is being sent joins the request. */
  send(kept: Kept): Promise<SendOutcome> {
    const running = this.#requests.get(kept.id);
    if (running) return running;
    const request = this.#send(kept).finally(() => this.#requests.delete(kept.id));
    this.#requests.set(kept.id, request);
    return request;
  }

  /** Resolves to the number of applications that still wait, or to 1 if the database does not answer. */
  async sendWaiting(): Promise<number> {
    const { outbox } = this.#deps;
    if (!(await outbox.refresh())) return 1;
    await Promise.all(
      outbox
        .listEntries()
        .filter(isWaiting)
        .map((kept) => this.send(kept)),
    );
    return outbox.listEntries().filter(isWaiting).length;
  }

  /** Sends what waits, and again later while something still waits. A call during a run joins the run. */
  run(): Promise<void> {
    clearTimeout(this.#timer);
    this.#running ??= this.sendWaiting()
      .then((left) => {
        if (left > 0) this.#schedule();
        else this.#failures = 0;
      })
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  async #send(kept: Kept): Promise<SendOutcome> {
    const outcome = await this.#deps.send(kept);
    await this.#deps.outbox.settle(kept, outcome);
    return outcome;
  }

  async #leaveForLater({ id }: Kept, isStored: boolean): Promise<void> {
    this.#failures = 0;
    if (isStored) this.#schedule();
    // The form says that nothing is kept, so no page may find it on the disk after all.
    else await this.#deps.outbox.takeBack(id);
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    // Chromium gives up after three sync events, and begins again with each registration.
    void this.#deps.requestBackgroundSync();
    const seconds = Math.min(FIRST_RETRY_SECONDS * 2 ** this.#failures, LONGEST_RETRY_SECONDS);
    this.#failures += 1;
    // The delay grows by up to a fifth at random, so that browsers do not retry all at once after an outage.
    this.#timer = setTimeout(() => void this.run(), seconds * 1_000 * (1 + Math.random() / 5));
  }
}

export const sender = new Sender();
