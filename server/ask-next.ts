/** Asks a request handler for a path, over a connection that nobody else has. */
import { once } from "node:events";
import { createServer, get, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { listen } from "#server/http.ts";
import type { RequestHandler } from "#server/request-handler.ts";

/** A stock photo may take its time; a page takes a tenth of a second. */
const ANSWER_MS = 30_000;

/** Whom Next does not know it sends a page whose title comes at its end. */
const USER_AGENT = "Mozilla/5.0";

export interface Asked {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** @throws when the handler throws, hangs up or does not answer. */
export async function ask(
  handler: RequestHandler,
  path: string,
  headers: Record<string, string> = {},
): Promise<Asked> {
  const server = createServer((incoming, outgoing) => {
    handler(incoming, outgoing).catch((error: Error) => outgoing.destroy(error));
  });
  const port = await listen(server, 0, "127.0.0.1");
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const sent = { "user-agent": USER_AGENT, ...headers };
    const asked = get({ host: "127.0.0.1", port, path, headers: sent, signal, agent: false });
    const [answer]: IncomingMessage[] = await once(asked, "response");
    if (answer === undefined) throw new Error(`${path} was not answered`);
    return {
      status: answer.statusCode ?? 0,
      headers: answer.headers,
      body: await buffer(answer),
    };
  } finally {
    server.close().closeAllConnections();
  }
}
