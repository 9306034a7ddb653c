/**
 * How many connections there may be, in all and from one address. Where there is no place left, the connection
 * that has waited longest for its request makes room: whoever sends slowly, or not at all, holds up nobody.
 */
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { lineOf } from "#server/client-address.ts";

export interface Places {
  /** One small machine's worth: above it, all would be served slowly. */
  total: number;
  perAddress: number;
}

/** Keeps a server's connections within these places. */
export function limitConnections(server: Server, { total, perAddress }: Places): void {
  /** Each address's connections without a request under way, the longest waiting first. */
  const waiting = new Map<Socket, string>();
  const open = new Map<string, number>();
  let all = 0;

  function makeRoom(address: string | undefined): void {
    for (const [socket, from] of waiting) {
      if (address !== undefined && from !== address) continue;
      waiting.delete(socket);
      socket.destroy();
      return;
    }
  }

  server.on("connection", (socket: Socket) => {
    const address = lineOf(socket.remoteAddress ?? "unknown");
    const ofAddress = (open.get(address) ?? 0) + 1;
    open.set(address, ofAddress);
    all += 1;
    waiting.set(socket, address);
    socket.once("close", () => {
      waiting.delete(socket);
      all -= 1;
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
    // The new connection is closed only when all others have a request under way.
    if (ofAddress > perAddress) makeRoom(address);
    else if (all > total) makeRoom(undefined);
  });

  server.on("request", ({ socket }, response) => {
    const address = waiting.get(socket);
    if (address === undefined) return;
    waiting.delete(socket);
    response.once("close", () => {
      if (!socket.destroyed) waiting.set(socket, address);
    });
  });
}
