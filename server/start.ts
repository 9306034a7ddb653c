/** Wires the process together: the store, the delivery worker, Next, and the server in front. */
import { join } from "node:path";
import createSite from "next";
import { openChannels, outboxFolder } from "#lib/channels/open.ts";
import { type Config, config } from "#lib/config.ts";
import { AttemptJournal } from "#lib/delivery/attempt-journal.ts";
import { DeliveryWorker } from "#lib/delivery/worker.ts";
import { sharedLimits } from "#lib/intake/shared-limits.ts";
import { log } from "#lib/log.ts";
import { processGlobals } from "#lib/process-globals.ts";
import { backupsFolder } from "#lib/storage/backups.ts";
import { sharedStore } from "#lib/storage/shared.ts";
import { TrustedClock } from "#lib/trusted-clock.ts";
import { bannerLines, welcome } from "#server/banner.ts";
import { checkBuild } from "#server/build-check.ts";
import { withClientAddress } from "#server/client-address.ts";
import { createHttpServer, listen } from "#server/http.ts";
import { limitWork } from "#server/limit-work.ts";
import { answerOwnRoutes } from "#server/own-routes.ts";
import { securityHeaders } from "#server/policy.ts";
import type { RequestHandler } from "#server/request-handler.ts";
import { stopOnSignals } from "#server/shutdown.ts";
import { StaticSite } from "#server/static.ts";
import { readRoutes } from "#server/static-routes.ts";

/** @throws StartFault with a sentence for the operator. */
export async function start({ dev }: { dev: boolean }): Promise<void> {
  const settings = config();
  if (!dev) checkBuild(settings);
  const atTerminal = process.stdout.isTTY;
  if (!atTerminal) for (const line of bannerLines(settings)) log.info(line);

  const store = sharedStore();
  const channels = openChannels(settings);
  const clock = new TrustedClock({
    // For the doctor, which is another process.
    onJump: ({ at, ms }) =>
      void store.writeNote("clock-jump", { at, value: `${ms}` }).catch(() => undefined),
  });
  processGlobals.clock = clock;
  const worker = new DeliveryWorker({
    store,
    channels,
    clock,
    caps: { hourly: settings.smsHourlyLimit, daily: settings.smsDailyLimit },
    weeklySummary: settings.weeklySummary,
    journal: new AttemptJournal(join(settings.dataDir, "attempts.journal")),
    retention: {
      days: settings.retentionDays,
      folder: outboxFolder(settings),
      backups: backupsFolder(settings),
    },
  });
  processGlobals.worker = worker;
  const senders = [channels.sms, channels.mail].filter((channel) => channel !== undefined);

  const { hostname } = settings;
  const site = createSite({ dev, hostname, port: settings.port });
  await site.prepare();
  const next = site.getRequestHandler();
  // In development Next has the routes to itself, so that a change to them shows at once.
  const handler = dev ? next : await inFrontOf(next, settings);
  const trustedHops = settings.trustedProxyHops;
  const server = createHttpServer(withClientAddress(handler, trustedHops), { dev, trustedHops });
  const closeLast = [site, ...senders, store];
  const stopping = stopOnSignals({ server, worker, closeLast }, { dev });
  await worker.resume();
  if (stopping.aborted) return;
  const port = await listen(server, settings.port, hostname);
  worker.start();
  if (atTerminal) process.stdout.write(welcome(settings, port));
  else log.info({ hostname, port, dev }, `The site is ready at http://localhost:${port}`);
}

/** What was built is answered from memory, under a strict policy; the rest goes on to Next. */
async function inFrontOf(
  next: RequestHandler,
  { siteUrl, inquiryPhone }: Config,
): Promise<RequestHandler> {
  const site = await StaticSite.open({
    next: answerOwnRoutes(limitWork(next, sharedLimits(), inquiryPhone)),
    headers: securityHeaders(siteUrl),
    routes: readRoutes("."),
    folder: ".",
  });
  return site.handle;
}
