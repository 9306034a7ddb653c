import { once } from "node:events";
import {
  createServer,
  request as forward,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { buffer } from "node:stream/consumers";
import { listeningPort } from "#testing/peers/listening-port.ts";

/** Faults that hit an application, before or after the server has got it. All other requests pass unchanged. */
export const NETWORK_FAULTS = [
  "none",
  "reset-before",
  "reset-after",
  "cut-after",
  "500",
  "503",
  "hang-before",
  "hang-after",
  "portal-page",
  "portal-redirect",
] as const;
type Fault = (typeof NETWORK_FAULTS)[number];

/** Responses to the faults that the proxy answers itself, so that the server gets no request. */
const ANSWERED_BY_PROXY: Partial<Record<Fault, (response: ServerResponse) => void>> = {
  "reset-before": ({ socket }) => socket?.resetAndDestroy(),
  "500": (response) => response.writeHead(500).end("oops"),
  "503": (response) => response.writeHead(503, { "retry-after": "1" }).end(),
  "portal-page": (response) =>
    response.writeHead(200, { "content-type": "text/html" }).end("<h1>Wi-Fi login</h1>"),
  "portal-redirect": (response) => response.writeHead(302, { location: "/pricing" }).end(),
};

const APPLICATION_PATH_PATTERN = /^\/api\/(sms|mail)\/training-application$/;

/** A bad network in front of a real server on this machine: it loses requests and responses. */
export class FaultyProxy implements AsyncDisposable {
  fault: Fault = "none";
  readonly #target: URL;
  readonly #hanging = new Set<ServerResponse>();
  readonly #server: Server;

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch(() => response.destroy());
    });
  }

  static async inFrontOf({ url }: { url: string }): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(url);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get url(): string {
    return `http://localhost:${listeningPort(this.#server)}`;
  }

  heal(): void {
    this.fault = "none";
    for (const response of this.#hanging) response.destroy();
    this.#hanging.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.heal();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = await buffer(request);
    const fault = APPLICATION_PATH_PATTERN.test(request.url ?? "") ? this.fault : "none";
    if (fault === "hang-before") return void this.#hanging.add(response);
    const inFrontOf = ANSWERED_BY_PROXY[fault];
    if (inFrontOf) return inFrontOf(response);
    const { status, headers, body } = await this.#forward(request, sent);
    if (fault === "reset-after") response.socket?.resetAndDestroy();
    else if (fault === "hang-after") this.#hanging.add(response);
    else if (fault === "cut-after") {
      response.writeHead(status, { ...headers, "content-length": body.length });
      response.write(body.subarray(0, body.length / 2), () => response.destroy());
    } else response.writeHead(status, headers).end(body);
  }

  async #forward(request: IncomingMessage, sent: Buffer) {
    const forwarded = forward(new URL(request.url ?? "", this.#target), {
      method: request.method,
      headers: { ...request.headers, connection: "close" },
      agent: false,
    });
    forwarded.end(sent);
    const [answer]: IncomingMessage[] = await once(forwarded, "response");
    if (!answer) throw new Error("no answer");
    const { "transfer-encoding": _, connection: __, ...headers } = answer.headers;
    return { status: answer.statusCode ?? 502, headers, body: await buffer(answer) };
  }
}
