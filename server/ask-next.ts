/** Asks a request handler for a path from inside the process: no port, no socket. */
import { createServer, type IncomingHttpHeaders, request } from "node:http";
import { duplexPair } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { RequestHandler } from "#server/request-handler.ts";

export interface Asked {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** @throws when the handler throws or hangs up. */
export async function ask(
  handler: RequestHandler,
  path: string,
  headers: Record<string, string> = {},
): Promise<Asked> {
  const [near, far] = duplexPair();
  const server = createServer((incoming, outgoing) => {
    handler(incoming, outgoing).catch((error: Error) => near.destroy(error));
  });
  server.emit("connection", far);
  const { promise, resolve, reject } = Promise.withResolvers<Asked>();
  request({
    path,
    headers: { host: "localhost", connection: "close", ...headers },
    createConnection: () => near,
  })
    .on("error", reject)
    .on("response", (answer) => {
      buffer(answer).then(
        (body) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }),
        reject,
      );
    })
    .end();
  return promise;
}
