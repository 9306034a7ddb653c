import type { Server } from "node:net";

export function listeningPort(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("it is not listening");
  return address.port;
}
