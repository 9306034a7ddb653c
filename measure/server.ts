/**
 * The server of bench:accept: it accepts applications like server/start-server.ts, but without the delivery worker,
 * which would compete for the processor.
 */
import { config } from "../lib/config.ts";
import { createLimits } from "../lib/intake/limits.ts";
import { openStore } from "../lib/storage/open.ts";
import { withClientAddress } from "../server/client-address.ts";
import { formRoute } from "../server/direct-routes.ts";
import { createHttpServer, listen } from "../server/http.ts";
import type { RequestHandler } from "../server/request-handler.ts";
import { createRoutesHandler } from "../server/route-requests.ts";

const settings = config();
const { hostname, port, siteUrl } = settings;
const store = openStore(settings, "migrate");
const notFound: RequestHandler = async (_request, response) => void response.writeHead(404).end();
const postRoute = formRoute({ store, siteUrl, limits: createLimits(settings) });
const handler = createRoutesHandler([postRoute], notFound, {});
const httpServerOptions = { dev: false, siteHost: new URL(siteUrl).host, publicProxies: 0 };
await listen(createHttpServer(withClientAddress(handler, 0), httpServerOptions), port, hostname);
