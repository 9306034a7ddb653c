/** From a request to a row: the contract of the two application routes, in its order. */
import { randomUUID } from "node:crypto";
import type { FormName } from "#lib/application/fields.ts";
import { parseApplication } from "#lib/application/schema.ts";
import type { Channel } from "#lib/application/stored-application.ts";
import { type Clock, systemClock } from "#lib/clock.ts";
import { config } from "#lib/config.ts";
import { admit } from "#lib/intake/admit.ts";
import { type BodyFault, type Content, contentOf, encodingOf, readBody } from "#lib/intake/body.ts";
import { type EnteredValues, formResponse } from "#lib/intake/form-result.ts";
import type { Allowance, Limits } from "#lib/intake/limits.ts";
import {
  type IntakeResult,
  invalidFields,
  jsonResponse,
  type Refusal,
  refusals,
  tooMany,
  unexpectedFault,
} from "#lib/intake/responses.ts";
import { isCrossSite, keyIn } from "#lib/intake/sender.ts";
import { sharedLimits } from "#lib/intake/shared-limits.ts";
import { log } from "#lib/log.ts";
import { processGlobals } from "#lib/process-globals.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { sharedStore } from "#lib/storage/shared.ts";
import type { IntakeStore } from "#lib/storage/store.ts";

/** Which form a route serves, and which channel it delivers by. */
interface Route {
  channel: Channel;
  form: FormName;
}

/** Where applications are sent to. The same two are the route files in app/api. */
export const APPLICATION_ROUTES = {
  "/api/sms/training-application": { channel: "sms", form: "dialog" },
  "/api/mail/training-application": { channel: "mail", form: "contact" },
} as const satisfies Record<string, Route>;

const MAX_BODY_BYTES = 16 * 1_024;
const BODY_TIME_LIMIT_MS = 10_000;

const BODY_REFUSALS: Record<BodyFault, Refusal> = {
  "too-large": refusals.tooLarge,
  "too-slow": refusals.tooSlow,
  broken: refusals.malformed,
};

/** A test can replace each of these. */
interface Dependencies {
  store: IntakeStore;
  siteUrl: string;
  now: Clock;
  bodyTimeLimitMs: number;
  limits: Limits;
  /** Where the request came from; undefined where the server does not tell. */
  address: string | undefined;
}

/** Receives an application on one of the two routes. Every outcome is a response. */
export async function receiveApplication(
  request: Request,
  route: Route,
  given: Partial<Dependencies> = {},
): Promise<Response> {
  const dependencies = {
    store: given.store ?? sharedStore(),
    siteUrl: given.siteUrl ?? config().siteUrl,
    now: given.now ?? systemClock,
    bodyTimeLimitMs: given.bodyTimeLimitMs ?? BODY_TIME_LIMIT_MS,
    limits: given.limits ?? sharedLimits(),
    address: given.address ?? processGlobals.clientAddress?.getStore(),
  };
  const { result, values = {} } = await receive(request, route, dependencies).catch((error) =>
    refused(unexpected(error, route)),
  );
  if (encodingOf(request.headers) !== "form") return jsonResponse(result);
  const secure = dependencies.siteUrl.startsWith("https:");
  return formResponse(result, route.form, values, { secure });
}

interface Received {
  result: IntakeResult;
  /** What a form showed when it was sent, to be shown again. */
  values?: EnteredValues;
}

const refused = (refusal: Refusal, values: EnteredValues = {}): Received => ({
  result: { ok: false, refusal },
  values,
});

async function receive(
  request: Request,
  route: Route,
  dependencies: Dependencies,
): Promise<Received> {
  const { limits, address, bodyTimeLimitMs, siteUrl } = dependencies;
  const allowance = await limits.countRequest(address);
  // The body is read before any response, so that none leaves while its request is still coming in.
  const bodyLimits = { maxBytes: MAX_BODY_BYTES, timeLimitMs: bodyTimeLimitMs };
  const body = await readBody(request, bodyLimits);
  if (!body.ok) return refused(BODY_REFUSALS[body.fault]);

  const { headers } = request;
  // Values from another site's page are not shown as our visitor's own.
  const crossSite = isCrossSite(headers, siteUrl);
  const encoding = encodingOf(headers);
  const content = encoding && !crossSite ? contentOf(body.bytes, encoding) : undefined;
  const values = content?.encoding === "form" ? content.fields : {};

  if (!allowance.ok) return refused(overLimit(allowance, route), values);
  if (crossSite) return refused(refusals.crossSite);
  const key = keyIn(headers);
  if (!key.ok) return refused(refusals.malformed, values);
  if (encoding === undefined) return refused(refusals.unsupportedType);
  if (content === undefined) return refused(refusals.malformed);
  return {
    result: await storeApplication(content, key.idempotencyKey, route, dependencies),
    values,
  };
}

async function storeApplication(
  { fields, honeypot }: Content,
  idempotencyKey: string | undefined,
  route: Route,
  dependencies: Dependencies,
): Promise<IntakeResult> {
  // A body that is no object counts as an application without any field.
  const isObject = typeof fields === "object" && fields !== null && !Array.isArray(fields);
  const parsed = parseApplication(route.form, isObject ? fields : {});
  if (!parsed.ok) return { ok: false, refusal: invalidFields(parsed.errors) };
  const { application } = parsed;
  const { channel } = route;

  try {
    const newApplication = { channel, idempotencyKey, application, now: dependencies.now() };
    const { acceptance, allowance, suspicion } = await admit(
      newApplication,
      honeypot,
      dependencies,
    );
    if (acceptance.outcome === "not-a-repeat") {
      return { ok: false, refusal: overLimit(allowance, route) };
    }
    if (acceptance.outcome === "key-reused") return { ok: false, refusal: refusals.keyReused };
    const { applicationId, submittedAt } = acceptance;
    const replayed = acceptance.outcome === "replayed";
    log.info({ applicationId, channel, replayed, suspicion }, "application received");
    if (!replayed) processGlobals.worker?.wake();
    return { ok: true, applicationId, submittedAt, replayed, application };
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) {
      return { ok: false, refusal: unexpected(error, route) };
    }
    log.warn(
      { channel, reason: error.reason },
      "an application could not be stored; the visitor was told so",
    );
    return { ok: false, refusal: refusals.unavailable };
  }
}

/** Logged once per window, without the address: a flood must not fill the disk, nor the log with personal data. */
function overLimit({ retryAfterSeconds, firstRefusal }: Allowance, { channel }: Route): Refusal {
  if (firstRefusal) log.warn({ channel, retryAfterSeconds }, "over a limit: answered with 429");
  return tooMany(retryAfterSeconds);
}

function unexpected(err: unknown, { channel }: Route): Refusal {
  const id = randomUUID().slice(0, 8);
  log.error(
    { err, id, channel },
    "an application could not be received because of a fault in the program",
  );
  return unexpectedFault(id);
}
