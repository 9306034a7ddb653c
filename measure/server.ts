/**
 * The server of bench:accept: it accepts applications like server/start-server.ts, but without the delivery worker, which
 * would compete for the processor.
 */
import { config } from "../lib/config.ts";
import { withClientAddress } from "../server/client-address.ts";
import { withDirectRoutes } from "../server/direct-routes.ts";
import { createHttpServer, listen } from "../server/http.ts";

const { hostname, port, siteUrl } = config();
const handler = withDirectRoutes(async (_request, response) => void response.writeHead(404).end());
const options = { dev: false, siteHost: new URL(siteUrl).host, trustedHops: 0 };
await listen(createHttpServer(withClientAddress(handler, 0), options), port, hostname);
