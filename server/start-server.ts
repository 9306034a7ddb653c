import { existsSync } from "node:fs";
import { join } from "node:path";
import createSite from "next";
import { openChannels } from "#lib/channels/registry.ts";
import { type Config, config } from "#lib/config.ts";
import { dataFolderFindings } from "#lib/data-folder.ts";
import { DeliveryWorker } from "#lib/delivery/worker.ts";
import { sharedLimits } from "#lib/intake/receive.ts";
import { isLocalSite } from "#lib/local-site.ts";
import { log } from "#lib/log.ts";
import { processGlobals } from "#lib/process-globals.ts";
import { parseProxyCheck } from "#lib/proxy-check.ts";
import { settingsFindings } from "#lib/settings-findings.ts";
import { sharedStore } from "#lib/storage/open.ts";
import type { Store } from "#lib/storage/store.ts";
import { withClientAddress } from "#server/client-address.ts";
import { securityHeaders } from "#server/content-policy.ts";
import { formRoute, healthRoute, otherMethodRoute } from "#server/direct-routes.ts";
import { createHttpServer, listen } from "#server/http.ts";
import { limitRendering } from "#server/limit-rendering.ts";
import { PageCache } from "#server/page-cache.ts";
import { ProxyObservation } from "#server/proxy-observation.ts";
import { renderForVisitor } from "#server/render-with-next.ts";
import type { RequestHandler } from "#server/request-handler.ts";
import { answerByRoutes } from "#server/routes.ts";
import { stopOnSignals } from "#server/shutdown.ts";
import { StartError } from "#server/start-error.ts";

/** @throws StartError with a sentence for the operator */
export async function startServer({ dev }: { dev: boolean }): Promise<void> {
  const settings = config();
  // A build writes this file last.
  if (!dev && !existsSync(".next/prerender-manifest.json")) {
    throw new StartError(
      `There is no full build in ${process.cwd()}. Run \`npm run build\` there.`,
    );
  }
  const findings = [...dataFolderFindings(settings), ...settingsFindings(settings)];
  for (const { level, topic, sentence } of findings)
    log[level === "ok" ? "info" : "warn"]({ topic }, sentence);

  const store = sharedStore();
  const worker = new DeliveryWorker({
    store,
    channels: openChannels(settings),
    caps: { hourly: settings.smsHourlyLimit, daily: settings.smsDailyLimit },
    sendsWeeklySummary: settings.weeklySummary,
    retention: settings,
  });
  processGlobals.worker = worker;
  const { hostname } = settings;
  const site = createSite({ dev, hostname, port: settings.port });
  await site.prepare();
  const next = site.getRequestHandler();
  // Next handles all routes in development, so that a change shows at once.
  const handler = dev ? next : await withPageCache(next, settings);
  const trustedHops = settings.trustedProxyHops;
  const outer = withClientAddress(handler, trustedHops, await observeProxies(store, settings));
  const { host: siteHost } = new URL(settings.siteUrl);
  const server = createHttpServer(outer, { dev, siteHost, trustedHops });
  stopOnSignals({ server, worker, closeLast: [site, store] }, { dev });
  const port = await listen(server, settings.port, hostname);
  worker.start();
  log.info({ hostname, port, dev }, `The site is ready at http://localhost:${port}`);
}

/** Reports whether TRUSTED_PROXY_HOPS fits the requests, in the log and in a note that the doctor reads. */
async function observeProxies(store: Store, { trustedProxyHops: hops, siteUrl }: Config) {
  const note = await store.findNote("proxy").catch(() => undefined);
  return new ProxyObservation(hops, {
    earlier: parseProxyCheck(note?.value, hops),
    isPublicSite: !isLocalSite(siteUrl),
    onChange(check) {
      if (check.fits) log.info(check, "TRUSTED_PROXY_HOPS fits, limits per address apply");
      else log.warn(check, "TRUSTED_PROXY_HOPS does not fit, limits per address are off");
      const note = { at: Date.now(), value: JSON.stringify(check) };
      store.writeNote("proxy", note).catch((err: unknown) => {
        log.warn({ err }, "storing the check of the proxies failed, the doctor does not report it");
      });
    },
  });
}

/** Who answers a request: the routes are asked in this order, then Next renders a page for the visitor. */
async function withPageCache(next: RequestHandler, settings: Config): Promise<RequestHandler> {
  const earlierBuilds = join(settings.dataDir, "builds");
  const cache = await PageCache.open({ next, folder: ".", earlierBuilds });
  const render = limitRendering(next, sharedLimits(), settings.inquiryPhone);
  return answerByRoutes(
    [
      cache.route,
      formRoute,
      otherMethodRoute,
      healthRoute,
      cache.pictureRoute,
      cache.notFoundRoute,
    ],
    renderForVisitor(render),
    securityHeaders(settings),
  );
}
