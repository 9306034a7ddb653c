import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { SECOND } from "#lib/application/durations.ts";
import { errorCode } from "#lib/error-code.ts";
import { log } from "#lib/log.ts";
import { parseVisitorAddress } from "#server/client-address.ts";
import { limitConnections } from "#server/connection-limits.ts";
import { rejectMalformedRequests } from "#server/malformed-requests.ts";
import type { RequestListener } from "#server/request-handler.ts";
import { StartError } from "#server/start-error.ts";

const HEADERS_TIMEOUT_MS = 10 * SECOND;
const REQUEST_TIMEOUT_MS = 30 * SECOND;
/**
 * Longer than any common proxy keeps an idle connection: 60 s (nginx) to 15 minutes (Cloudflare). If the server closed
 * the connection first, a proxy that is just sending an application on it would answer 502.
 */
const KEEP_ALIVE_TIMEOUT_MS = 920 * SECOND;
/** Interval at which Node looks for overdue connections. The default of 30 s would extend the limit of 10 s to 40 s. */
const CONNECTIONS_CHECK_MS = 2 * SECOND;
/** A connection without a byte in either direction is closed after this time, except between two requests. */
const SILENCE_TIMEOUT_MS = 20 * SECOND;
/** Longest time for a request and its response: even a slow line needs less for the largest file. */
const MAX_EXCHANGE_MS = 120 * SECOND;
const MAX_CLIENT_CONNECTIONS = 2_000;
/** Far above the dozen connections that a household or an office needs. */
const MAX_CONNECTIONS_PER_ADDRESS = 500;

export function createHttpServer(
  handler: RequestListener,
  { dev, siteHost, publicProxies }: { dev: boolean; siteHost: string; publicProxies: number },
): Server {
  const handle = rejectMalformedRequests(handler, siteHost);
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
      // Only hot reload uses a WebSocket.
      shouldUpgradeCallback: () => dev,
    },
    (request, response) => {
      handle(request, response).catch((err: unknown) => {
        log.error({ err }, "handling a request failed, answered 500");
        if (response.headersSent) response.destroy();
        else response.writeHead(500, { connection: "close" }).end();
      });
    },
  );
  limitConnections(server, {
    total: MAX_CLIENT_CONNECTIONS,
    perAddress: MAX_CONNECTIONS_PER_ADDRESS,
    maxExchangeMs: MAX_EXCHANGE_MS,
    // A public proxy is the client of all connections, so a limit for its address would hit all visitors.
    addressOf: publicProxies > 0 ? () => undefined : parseVisitorAddress,
  });
  // In development a silent connection is not closed, because hot reload needs one.
  if (!dev) server.timeout = SILENCE_TIMEOUT_MS;
  return server;
}

/** Returns the port, which the system chooses if `port` is 0. @throws StartError */
export async function listen(server: Server, port: number, hostname: string): Promise<number> {
  try {
    await once(server.listen(port, hostname), "listening");
  } catch (error) {
    throw new StartError(listenFault(error, port, hostname));
  }
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

function listenFault(error: unknown, port: number, hostname: string): string {
  const code = errorCode(error) || "unknown";
  const faults: Record<string, string> = {
    EADDRINUSE: `Port ${port} is in use by another program. Stop it, or set PORT to another number.`,
    EACCES: `Port ${port} may not be used by this user. Set PORT to 1024 or higher.`,
    EADDRNOTAVAIL: `HOSTNAME ${hostname} is not an address of this machine.`,
  };
  return faults[code] ?? `Cannot listen on ${hostname}:${port} (${code}).`;
}
