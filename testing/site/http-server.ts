import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { createHttpServer, listen } from "#server/http.ts";
import type { RequestListener } from "#server/request-handler.ts";

export const SERVER_OPTIONS = { dev: false, siteHost: "practice.test", publicProxies: 0 };

/** Listens until the test ends, and returns the port. */
export async function serveHandler(handler: RequestListener): Promise<number> {
  const server = createHttpServer(handler, SERVER_OPTIONS);
  onTestFinished(() => void server.close().closeAllConnections());
  return listen(server, 0, "127.0.0.1");
}

/** Sends these bytes, and returns everything that the server sends until it closes the connection. */
export async function sendBytes(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(bytes);
  return text(socket);
}
