import type { IncomingMessage, ServerResponse } from "node:http";

/** `visitor`: the sender's address; undefined for a private address, which may be many senders'. */
export type RequestHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  visitor?: string,
) => Promise<void>;
