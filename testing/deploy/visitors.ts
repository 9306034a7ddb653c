/** Visitors over https: pages and assets at a steady rate, and applications; nobody tries twice unless told to. */
import { Agent, type RequestOptions, request } from "node:https";
import { setTimeout as pause } from "node:timers/promises";
import { receiptIn } from "#lib/application/answer.ts";
import { expectThat } from "#testing/deploy/expect-that.ts";
import { asJson } from "#testing/form.ts";

const REQUEST_LIMIT_MS = 20_000;
/** After this a browser sends again what got 502. */
const AGAIN_AFTER_MS = 5_000;
const ROUTES = ["/api/sms/training-application", "/api/mail/training-application"];

interface Answer {
  status: number;
  location: string | undefined;
  body: string;
}

export class Visitors {
  /** Applications by number: when each was acknowledged. */
  readonly acknowledged = new Map<string, number>();
  /** What went wrong, a line each. */
  readonly failures: string[] = [];
  requests = 0;
  applications = 0;
  /** Applications that the proxy answered with 502, and that were sent again under the same key. */
  repeated = 0;
  /** Whether an application that got 502 is sent again, once: where the proxy is one that cannot wait with it. */
  sendsAgain = false;
  readonly #host: string;
  readonly #agent: Agent;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #underWay = new Set<Promise<void>>();

  /** @param certificate whom to trust, in PEM */
  constructor(host: string, certificate: string) {
    this.#host = host;
    this.#agent = new Agent({ ca: certificate, keepAlive: true, maxSockets: 64 });
  }

  /** Asks for the paths in turn, and sends applications, so many a second. */
  arrive({
    paths,
    requests,
    applications,
  }: {
    paths: string[];
    requests: number;
    applications: number;
  }) {
    this.#each(1_000 / requests, () => this.#look(paths[this.requests++ % paths.length] ?? "/"));
    this.#each(1_000 / applications, () => this.#apply(this.applications++));
  }

  async leave(): Promise<void> {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    await Promise.all(this.#underWay);
  }

  /** Prints how many came since the last report, and that none failed. */
  report(): void {
    const failures = this.failures.splice(0);
    for (const failure of failures.slice(0, 10)) console.info(failure);
    const came = `${this.requests} requests and ${this.applications} applications`;
    expectThat(`${came}, ${failures.length} failed`, failures.length === 0);
    if (this.repeated > 0)
      console.info(`${this.repeated} applications were sent twice, see "Not tried".`);
    this.repeated = 0;
    this.requests = 0;
    this.applications = 0;
  }

  close(): void {
    this.#agent.destroy();
  }

  #each(ms: number, visit: () => Promise<void>): void {
    const begin = () => {
      const visitor = visit().finally(() => this.#underWay.delete(visitor));
      this.#underWay.add(visitor);
    };
    this.#timers.push(setInterval(begin, ms));
  }

  async #look(path: string): Promise<void> {
    await this.ask(path).then(
      ({ status }) => status === 200 || this.failures.push(`GET ${path}: ${status}`),
      (error: Error) => this.failures.push(`GET ${path}: ${error.message}`),
    );
  }

  async #apply(count: number): Promise<void> {
    const route = ROUTES[count % ROUTES.length] ?? "";
    const body = asJson({ name: `배포 ${count}` });
    const headers = { "content-type": "application/json", "idempotency-key": crypto.randomUUID() };
    const send = () => this.ask(route, { method: "POST", headers }, body);
    const sent = async () => {
      const answer = await send();
      if (answer.status !== 502 || !this.sendsAgain) return answer;
      this.repeated++;
      await pause(AGAIN_AFTER_MS);
      return send();
    };
    await sent().then(
      (answer) => {
        const receipt = answer.status === 200 ? receiptIn(JSON.parse(answer.body)) : undefined;
        if (receipt) this.acknowledged.set(receipt.applicationId, Date.now());
        else this.failures.push(`POST ${route}: ${answer.status} ${answer.body.slice(0, 100)}`);
      },
      (error: Error) => this.failures.push(`POST ${route}: ${error.message}`),
    );
  }

  /**
   * One request. As a browser does, it is sent anew when a connection that was kept open turns out to have
   * been closed before anything came back; that is no failure of the site's.
   */
  ask(path: string, options: RequestOptions = {}, body = ""): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const outgoing = request(
      { host: this.#host, path, agent: this.#agent, timeout: REQUEST_LIMIT_MS, ...options },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => {
          const { statusCode: status = 0, headers } = incoming;
          resolve({ status, location: headers.location, body: Buffer.concat(chunks).toString() });
        });
      },
    );
    outgoing.on("timeout", () => outgoing.destroy(new Error("no answer")));
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      const closedBefore = outgoing.reusedSocket && error.code === "ECONNRESET";
      if (closedBefore) this.ask(path, options, body).then(resolve, reject);
      else reject(error);
    });
    outgoing.end(body);
    return promise;
  }
}
