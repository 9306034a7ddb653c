import { existsSync } from "node:fs";
import { join } from "node:path";
import createNextApp from "next";
import { openChannels } from "#lib/channels/registry.ts";
import { type Config, config } from "#lib/config.ts";
import { dataFolderFindings } from "#lib/data-folder-findings.ts";
import { DeliveryWorker } from "#lib/delivery/worker.ts";
import { createLimits } from "#lib/intake/limits.ts";
import { log } from "#lib/log.ts";
import { type CdnMismatch, cdnFinding, settingsFindings } from "#lib/settings-findings.ts";
import { openStore } from "#lib/storage/open.ts";
import type { Store } from "#lib/storage/store.ts";
import { withClientAddress } from "#server/client-address.ts";
import { securityHeaders } from "#server/content-policy.ts";
import { formRoute, healthRoute, otherMethodRoute } from "#server/direct-routes.ts";
import { createHttpServer, listen } from "#server/http.ts";
import { instructorPhotoRoute } from "#server/instructor-photo-route.ts";
import { limitUncached } from "#server/limit-uncached.ts";
import { PageCache } from "#server/page-cache.ts";
import { createVisitorRenderer } from "#server/render-with-next.ts";
import type { RequestHandler } from "#server/request-handler.ts";
import { createRoutesHandler } from "#server/route-requests.ts";
import { stopOnSignals } from "#server/shutdown.ts";
import { StartError } from "#server/start-error.ts";

/** @throws StartError with a sentence for the operator */
export async function startServer({ dev }: { dev: boolean }): Promise<void> {
  const settings = config();
  // Next writes this file at the end of its build, so an interrupted build lacks it.
  if (!dev && !existsSync(".next/prerender-manifest.json")) {
    throw new StartError(
      `There is no full build in ${process.cwd()}. Run \`npm run build\` there.`,
    );
  }
  const findings = [...dataFolderFindings(settings), ...settingsFindings(settings)];
  for (const { level, topic, sentence } of findings)
    log[level === "ok" ? "info" : "warn"]({ topic }, sentence);

  const store = openStore(settings, "migrate");
  const worker = new DeliveryWorker({
    store,
    channels: openChannels(settings),
    caps: { hourly: settings.smsHourlyLimit, daily: settings.smsDailyLimit },
    sendsWeeklySummary: settings.weeklySummary,
    retention: settings,
  });
  const { hostname } = settings;
  const nextApp = createNextApp({ dev, hostname, port: settings.port });
  await nextApp.prepare();
  const render = nextApp.getRequestHandler();
  const next: RequestHandler = (request, response) => render(request, response);
  const handler = await createHandler({ dev, next, settings, store, worker });
  const { publicProxies } = settings;
  const listener = withClientAddress(handler, publicProxies, (mismatch) =>
    reportCdnMismatch(store, mismatch),
  );
  const { host: siteHost } = new URL(settings.siteUrl);
  const server = createHttpServer(listener, { dev, siteHost, publicProxies });
  stopOnSignals({ server, worker, lastToClose: [nextApp, store] }, { dev });
  const port = await listen(server, settings.port, hostname);
  worker.start();
  log.info({ hostname, port, dev }, `The site is ready at http://localhost:${port}`);
}

/** Reports a wrong PUBLIC_PROXIES in the log, and in a note that the doctor reads. */
function reportCdnMismatch(store: Store, mismatch: CdnMismatch): void {
  const { topic, sentence } = cdnFinding(mismatch, Date.now());
  log.warn({ topic }, sentence);
  store
    .writeNote("cdn", { at: Date.now(), value: JSON.stringify(mismatch) })
    .catch((err: unknown) => {
      log.warn({ err }, "storing a note failed, the doctor does not report PUBLIC_PROXIES");
    });
}

interface HandlerDeps {
  dev: boolean;
  next: RequestHandler;
  settings: Config;
  store: Store;
  worker: DeliveryWorker;
}

/** The routes are asked in this order. If none of them answers, Next renders a page for the visitor. */
async function createHandler({ dev, next, settings, store, worker }: HandlerDeps) {
  const limits = createLimits(settings);
  const limit = (handler: RequestHandler) => limitUncached(handler, limits, settings.inquiryPhone);
  const form = formRoute({ ...settings, store, limits, onStored: () => worker.wake() });
  const healthAndPhotoRoutes = [
    healthRoute({ store, worker, config: settings }, limit),
    instructorPhotoRoute(settings),
  ];
  // In development Next renders a page for each request, with the latest change.
  if (dev) return createRoutesHandler([form, ...healthAndPhotoRoutes], next, {});
  const earlierBuildsFolder = join(settings.dataDir, "builds");
  const cache = await PageCache.open({ next, folder: ".", earlierBuildsFolder });
  return createRoutesHandler(
    [cache.route, form, otherMethodRoute, ...healthAndPhotoRoutes, cache.notFoundRoute],
    createVisitorRenderer(limit(next)),
    securityHeaders(settings),
  );
}
