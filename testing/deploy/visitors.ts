/** Visitors of a site: they request pages and assets at a steady rate, and send applications. */
import { setTimeout as pause } from "node:timers/promises";
import { parseReceipt } from "#lib/application/response-body.ts";
import { jsonBody } from "#testing/browser/form.ts";
import { expectThat } from "#testing/deploy/inside-machine.ts";
import { ROUTE_PATHS } from "#testing/site/client.ts";

const REQUESTS_PER_SECOND = 50;
const APPLICATIONS_PER_SECOND = 5;
/** Pause before a browser repeats an application that got a 502 or no answer. */
const REPEAT_PAUSE_MS = 5_000;
/** So many repeats last longer than a slow start. */
const MAX_REPEATS = 24;
const PATHS = Object.values(ROUTE_PATHS);

/** `status`: 0 without an answer. */
interface Answer {
  status: number;
  body: string;
}
const isLost = ({ status }: Answer) => status === 502 || status === 0;

export class Visitors {
  /** Time of the confirmation of each application, by number. */
  readonly acknowledged = new Map<string, number>();
  readonly failures: string[] = [];
  #requests = 0;
  #applications = 0;
  #repeated = 0;
  readonly #origin: string;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #underWay = new Set<Promise<void>>();

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Starts to request the paths in turn, and to send applications. */
  arrive(paths: readonly string[]): void {
    this.#visitSteadily(REQUESTS_PER_SECOND, "GET", async () => {
      const path = paths[this.#requests++ % paths.length] ?? "/";
      const { status } = await this.#ask(path);
      return status === 200 ? undefined : `${path}: ${status}`;
    });
    this.#visitSteadily(APPLICATIONS_PER_SECOND, "POST", () => this.#apply(this.#applications++));
  }

  async applyOnce(): Promise<void> {
    const failure = await this.#apply(this.#applications);
    expectThat(`an application is acknowledged ${failure ?? ""}`.trim(), failure === undefined);
  }

  /** Stops the visitors, and prints how many requests and applications succeeded and failed. */
  async leave(mayFail: readonly ("GET" | "POST")[] = []): Promise<void> {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    await Promise.all(this.#underWay);
    const failures = this.failures.splice(0);
    const faults = failures.filter((failure) => !mayFail.some((each) => failure.startsWith(each)));
    for (const fault of faults.slice(0, 10)) console.info(fault);
    expectThat(
      `${this.#requests} requests and ${this.#applications} applications, ${failures.length} failed; ${this.#repeated} applications were sent again`,
      faults.length === 0,
    );
    this.#requests = this.#applications = this.#repeated = 0;
  }

  #visitSteadily(perSecond: number, name: string, visit: () => Promise<string | undefined>): void {
    const startVisit = () => {
      const visitor = visit()
        .catch((error: Error) => `${error.message} ${error.cause ?? ""}`)
        .then((failure) => {
          if (failure) this.failures.push(`${name} ${failure}`);
          this.#underWay.delete(visitor);
        });
      this.#underWay.add(visitor);
    };
    this.#timers.push(setInterval(startVisit, 1_000 / perSecond));
  }

  async #apply(count: number): Promise<string | undefined> {
    const route = PATHS[count % PATHS.length] ?? "";
    const headers = { "content-type": "application/json", "idempotency-key": crypto.randomUUID() };
    const form = { method: "POST", headers, body: jsonBody({ name: `배포 ${count}` }) };
    let answer = await this.#send(route, form);
    if (isLost(answer)) this.#repeated++;
    for (let again = 0; isLost(answer) && again < MAX_REPEATS; again++) {
      await pause(REPEAT_PAUSE_MS);
      answer = await this.#send(route, form);
    }
    const receipt = answer.status === 200 ? parseReceipt(JSON.parse(answer.body)) : undefined;
    if (receipt) this.acknowledged.set(receipt.applicationId, Date.now());
    return receipt ? undefined : `${route}: ${answer.status} ${answer.body.slice(0, 100)}`;
  }

  /** Turns a lost connection into status 0. The application is then repeated, as a browser repeats one. */
  #send(path: string, form: RequestInit): Promise<Answer> {
    return this.#ask(path, form).catch(({ message }: Error) => ({ status: 0, body: message }));
  }

  async #ask(path: string, init: RequestInit = {}): Promise<Answer> {
    const answer = await fetch(this.#origin + path, init);
    return { status: answer.status, body: await answer.text() };
  }
}
