/**
 * The server of the bench: it takes applications as server/start.ts does, and has a route beside it that sends
 * a mail in place of storing. It has no delivery worker, which would share the processor.
 */
import { createTransport } from "nodemailer";
import { summarise } from "../lib/application/summary.ts";
import { config } from "../lib/config.ts";
import { APPLICATION_ROUTES, receiveApplication } from "../lib/intake/receive.ts";
import { newApplicationId } from "../lib/storage/queries/new-application-id.ts";
import { sharedStore } from "../lib/storage/shared.ts";
import type { IntakeStore } from "../lib/storage/store.ts";
import { withClientAddress } from "../server/client-address.ts";
import { createHttpServer, listen } from "../server/http.ts";
import { answerOwnRoutes } from "../server/own-routes.ts";
import { BENCH_PATHS } from "./bench-site.ts";

const { hostname, port, trustedProxyHops, mail } = config();
const route = APPLICATION_ROUTES["/api/mail/training-application"];

const transport = createTransport(mail?.smtpUrl);
const sends: Pick<IntakeStore, "accept"> = {
  async accept({ application, now }) {
    const applicationId = newApplicationId();
    await transport.sendMail({
      from: mail?.from,
      to: mail?.to,
      subject: `${applicationId} ${application.name}`,
      text: `${summarise(application)}\n${application.phone}\n${application.message}`,
    });
    return { outcome: "stored", applicationId, submittedAt: now };
  },
};
const mailing = { store: { ...sharedStore(), ...sends } };
const handler = answerOwnRoutes(async (_request, response) => void response.writeHead(404).end(), {
  [`POST ${BENCH_PATHS.stores}`]: (request) => receiveApplication(request, route),
  // The usual alternative: answer when the mail server has taken the mail.
  [`POST ${BENCH_PATHS.mails}`]: (request) => receiveApplication(request, route, mailing),
});
const server = createHttpServer(withClientAddress(handler, trustedProxyHops), { dev: false });
await listen(server, port, hostname);
