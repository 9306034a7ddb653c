import type { IncomingMessage, ServerResponse } from "node:http";

/** Answers a request before the visitor's address has been found. */
export type RequestListener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** `address`: the visitor's address; undefined if the address is unknown, or private, so that many may share it. */
export type RequestHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  address: string | undefined,
) => Promise<void>;
