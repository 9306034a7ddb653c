/** From a request to a row: the contract of the two application routes, in its order. */
import { randomUUID } from "node:crypto";
import type { Application, FormName } from "#lib/application/fields.ts";
import { answerMessages } from "#lib/application/messages.ts";
import { parseApplication } from "#lib/application/schema.ts";
import type { Route } from "#lib/application/stored-application.ts";
import type { Clock } from "#lib/clock.ts";
import { config } from "#lib/config.ts";
import { fill } from "#lib/content/copy.ts";
import { admit } from "#lib/intake/admit.ts";
import { type BodyFault, contentOf, encodingOf, readBody } from "#lib/intake/body.ts";
import { type EnteredValues, formResponse } from "#lib/intake/form-result.ts";
import { type Allowance, type Limits, openLimits } from "#lib/intake/limits.ts";
import {
  type IntakeResult,
  invalidFields,
  jsonResponse,
  type Refusal,
  refusals,
} from "#lib/intake/responses.ts";
import { isCrossSite, type Keys, keysIn } from "#lib/intake/sender.ts";
import { log } from "#lib/log.ts";
import { processGlobals } from "#lib/process-globals.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { sharedStore } from "#lib/storage/open.ts";
import type { Store } from "#lib/storage/store.ts";

/** A form's way in, and what it answers as. */
interface FormRoute {
  route: Route;
  form: FormName;
}

/** Where applications are sent to. The same two are the route files in app/api. */
export const APPLICATION_ROUTES = {
  "/api/sms/training-application": { route: "sms", form: "dialog" },
  "/api/mail/training-application": { route: "mail", form: "contact" },
} as const satisfies Record<string, FormRoute>;

const MAX_BODY_BYTES = 16 * 1_024;
const BODY_TIME_LIMIT_MS = 10_000;

const BODY_REFUSALS: Record<BodyFault, Refusal> = {
  "too-large": refusals.tooLarge,
  "too-slow": refusals.tooSlow,
  broken: refusals.malformed,
};

/** A test can replace each of these. */
interface Dependencies {
  store: Pick<Store, "accept" | "now">;
  siteUrl: string;
  now: Clock;
  bodyTimeLimitMs: number;
  limits: Limits;
  /** Where the request came from; undefined where the server does not tell. */
  address: string | undefined;
}

/** The one set of counters of this process. */
export function sharedLimits(): Limits {
  processGlobals.limits ??= openLimits(config());
  return processGlobals.limits;
}

/** Receives an application on one of the two routes. Every outcome is a response. */
export async function receiveApplication(
  request: Request,
  formRoute: FormRoute,
  given: Partial<Dependencies> = {},
): Promise<Response> {
  const store = given.store ?? sharedStore();
  const dependencies = {
    store,
    siteUrl: given.siteUrl ?? config().siteUrl,
    now: given.now ?? store.now,
    bodyTimeLimitMs: given.bodyTimeLimitMs ?? BODY_TIME_LIMIT_MS,
    limits: given.limits ?? sharedLimits(),
    address: given.address ?? processGlobals.clientAddress?.getStore(),
  };
  const { result, values = {} } = await receive(request, formRoute, dependencies).catch((error) =>
    refused(unexpected(error, formRoute)),
  );
  if (encodingOf(request.headers) !== "form") return jsonResponse(result);
  const secure = dependencies.siteUrl.startsWith("https:");
  return formResponse(result, formRoute.form, values, { secure });
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
  formRoute: FormRoute,
  dependencies: Dependencies,
): Promise<Received> {
  const { limits, address, bodyTimeLimitMs, siteUrl } = dependencies;
  const allowance = limits.countRequest(address);
  // The body is read before any response, so that none leaves while its request is still coming in.
  const bodyLimits = { maxBytes: MAX_BODY_BYTES, timeLimitMs: bodyTimeLimitMs };
  const body = await readBody(request, bodyLimits);
  if (!body.ok) return refused(BODY_REFUSALS[body.fault]);
  const read = readApplication(request.headers, body.bytes, formRoute, siteUrl);
  const { values } = read;
  if (read.ok)
    return { result: await storeApplication(read, allowance, formRoute, dependencies), values };
  return refused(allowance.ok ? read.refusal : overLimit(allowance, formRoute), values);
}

type ReadApplication = { values: EnteredValues } & (
  | ({ ok: true; application: Application; honeypot: boolean } & Keys)
  | { ok: false; refusal: Refusal }
);

/** The application in a request, judged by everything but the limits. */
function readApplication(
  headers: Headers,
  bytes: Uint8Array,
  { form }: FormRoute,
  siteUrl: string,
): ReadApplication {
  // Values from another site's page are not shown as our visitor's own.
  if (isCrossSite(headers, siteUrl)) {
    return { ok: false, refusal: refusals.crossSite, values: {} };
  }
  const encoding = encodingOf(headers);
  const content = encoding && contentOf(bytes, encoding);
  const values = content?.encoding === "form" ? content.fields : {};
  const keys = keysIn(headers);
  if (keys === undefined) return { ok: false, refusal: refusals.malformed, values };
  if (encoding === undefined) return { ok: false, refusal: refusals.unsupportedType, values };
  if (content === undefined) return { ok: false, refusal: refusals.malformed, values };
  const { fields, honeypot } = content;
  // A body that is no object counts as an application without any field.
  const isObject = typeof fields === "object" && fields !== null && !Array.isArray(fields);
  const parsed = parseApplication(form, isObject ? fields : {});
  if (!parsed.ok) return { ok: false, refusal: invalidFields(parsed.errors), values };
  return { ok: true, application: parsed.application, honeypot, values, ...keys };
}

async function storeApplication(
  { application, honeypot, idempotencyKey, correctsKey }: ReadApplication & { ok: true },
  allowance: Allowance,
  formRoute: FormRoute,
  dependencies: Dependencies,
): Promise<IntakeResult> {
  const { route } = formRoute;
  const now = dependencies.now();
  try {
    const admission = await admit(
      { route, idempotencyKey, correctsKey, application, now },
      honeypot,
      { ...dependencies, allowance },
    );
    const { acceptance, suspicion } = admission;
    if (acceptance.outcome === "not-a-repeat") {
      return { ok: false, refusal: overLimit(admission.allowance, formRoute) };
    }
    if (acceptance.outcome === "key-reused") return { ok: false, refusal: refusals.keyReused };
    const { applicationId, submittedAt } = acceptance;
    const replayed = acceptance.outcome === "replayed";
    log.info({ applicationId, route, replayed, suspicion }, "application received");
    if (!replayed) processGlobals.worker?.wake();
    return { ok: true, applicationId, submittedAt, replayed, application };
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) {
      return { ok: false, refusal: unexpected(error, formRoute) };
    }
    log.warn(
      { route, reason: error.reason },
      "an application could not be stored; the visitor was told so",
    );
    return { ok: false, refusal: refusals.unavailable };
  }
}

/** Logged once per window, without the address: a flood must not fill the disk, nor the log with personal data. */
function overLimit({ retryAfterSeconds, firstRefusal }: Allowance, { route }: FormRoute): Refusal {
  if (firstRefusal) log.warn({ route, retryAfterSeconds }, "over a limit: answered with 429");
  const headers = { "Retry-After": `${retryAfterSeconds}` };
  return { status: 429, message: answerMessages.tooMany, headers };
}

function unexpected(err: unknown, { route }: FormRoute): Refusal {
  const id = randomUUID().slice(0, 8);
  log.error(
    { err, id, route },
    "an application could not be received because of a fault in the program",
  );
  return { status: 500, message: fill(answerMessages.unexpected, { id }) };
}
