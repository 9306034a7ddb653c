/**
 * Limits the number of connections, in total and per address, so that slow clients delay nobody. Over a limit, the
 * server closes the connection that has waited longest for its client to send a request or to read the response.
 */
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Limit of unanswered requests on one connection. No browser sends a second request before the first is answered. */
const MAX_UNANSWERED = 10;

interface Connection {
  /** Undefined if many clients may share the address. */
  address: string | undefined;
  /** The response to the newest request; undefined on an idle connection. */
  response: ServerResponse | undefined;
  unanswered: number;
}

interface ConnectionLimits {
  total: number;
  perAddress: number;
  /** Time limit from the arrival of a request until its client has read the whole response. */
  maxExchangeMs: number;
  /** Undefined for an address that only the total limit applies to. */
  addressOf: (remoteAddress: string | undefined) => string | undefined;
}

export function limitConnections(
  server: Server,
  { total, perAddress, maxExchangeMs, addressOf }: ConnectionLimits,
): void {
  /** The connection that has waited longest for its client is first. */
  const connections = new Map<Socket, Connection>();

  function moveToEnd(socket: Socket, connection: Connection): void {
    connections.delete(socket);
    connections.set(socket, connection);
  }

  function closeLongestWaiting(address: string | undefined): void {
    for (const [socket, { address: from, response }] of connections) {
      const isUnanswered = response?.writableEnded === false;
      if (isUnanswered || (address !== undefined && from !== address)) continue;
      socket.destroy();
      return;
    }
  }

  server.on("connection", (socket: Socket) => {
    const address = addressOf(socket.remoteAddress);
    connections.set(socket, { address, response: undefined, unanswered: 0 });
    socket.once("close", () => connections.delete(socket));
    const sameAddress = [...connections.values()].filter((each) => each.address === address);
    // The new connection itself is closed only if all others under the exceeded limit have unanswered requests.
    if (address !== undefined && sameAddress.length > perAddress) closeLongestWaiting(address);
    else if (connections.size > total) closeLongestWaiting(undefined);
  });

  server.on("request", ({ socket }, response) => {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connection.unanswered += 1;
    connection.response = response;
    moveToEnd(socket, connection);
    if (connection.unanswered > MAX_UNANSWERED) socket.destroy();
    const tooLong = setTimeout(() => socket.destroy(), maxExchangeMs).unref();
    response.once("close", () => {
      clearTimeout(tooLong);
      connection.unanswered -= 1;
      if (connection.unanswered > 0 || socket.destroyed) return;
      connection.response = undefined;
      moveToEnd(socket, connection);
    });
  });
}
