/** From a request to a row: the contract of the two application routes, in its order. */
import { randomUUID } from "node:crypto";
import type { Application } from "#lib/application/fields.ts";
import { parseApplication } from "#lib/application/schema.ts";
import { seoulIso } from "#lib/application/seoul-time.ts";
import { type Clock, systemClock } from "#lib/clock.ts";
import { config } from "#lib/config.ts";
import { admit } from "#lib/intake/admit.ts";
import {
  answerStored,
  invalidFields,
  type Refusal,
  refusals,
  refuse,
  tooMany,
  unexpectedFault,
} from "#lib/intake/answer.ts";
import { type Content, contentOf, encodingOf } from "#lib/intake/content.ts";
import { answerForm } from "#lib/intake/form-answer.ts";
import { type Allowance, type Limits, sharedLimits } from "#lib/intake/limits.ts";
import { type BodyFault, readBody } from "#lib/intake/read-body.ts";
import type { Route } from "#lib/intake/routes.ts";
import { isCrossSite, keyIn } from "#lib/intake/sender.ts";
import { log } from "#lib/log.ts";
import { processGlobals } from "#lib/process-globals.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { sharedStore } from "#lib/storage/shared.ts";
import type { IntakeStore } from "#lib/storage/store.ts";

const MAX_BODY_BYTES = 16 * 1_024;
const BODY_TIME_LIMIT_MS = 10_000;

const BODY_REFUSALS: Record<BodyFault, Refusal> = {
  "too-large": refusals.tooLarge,
  "too-slow": refusals.tooSlow,
  broken: refusals.malformed,
};

/** What a test puts in place of the process's own. */
interface Surroundings {
  store: IntakeStore;
  siteUrl: string;
  now: Clock;
  bodyTimeLimitMs: number;
  limits: Limits;
  /** Where the request came from; undefined where the server does not tell. */
  address: string | undefined;
}

/** What became of an application, before it is put into words for a script or for a person. */
export type Reception =
  | {
      ok: true;
      applicationId: string;
      /** Milliseconds since the epoch. */
      submittedAt: number;
      replayed: boolean;
      application: Application;
    }
  | { ok: false; refusal: Refusal };

/** Receives an application on one of the two routes. Every outcome is an answer; it never throws. */
export async function receiveApplication(
  request: Request,
  route: Route,
  surroundings: Partial<Surroundings> = {},
): Promise<Response> {
  try {
    return await receive(request, route, {
      store: surroundings.store ?? sharedStore(),
      siteUrl: surroundings.siteUrl ?? config().siteUrl,
      now: surroundings.now ?? systemClock,
      bodyTimeLimitMs: surroundings.bodyTimeLimitMs ?? BODY_TIME_LIMIT_MS,
      limits: surroundings.limits ?? sharedLimits(),
      address: surroundings.address ?? processGlobals.clientAddress?.getStore(),
    });
  } catch (error) {
    return refuse(unexpected(error, route));
  }
}

async function receive(request: Request, route: Route, here: Surroundings): Promise<Response> {
  const allowance = await here.limits.countRequest(here.address);
  // Before any answer, so that none leaves while its request is still coming in.
  const limits = { maxBytes: MAX_BODY_BYTES, timeLimitMs: here.bodyTimeLimitMs };
  const body = await readBody(request, limits);
  if (!body.ok) return refuse(BODY_REFUSALS[body.fault]);

  if (!allowance.ok) return refuse(overLimit(allowance, route));

  const { headers } = request;
  if (isCrossSite(headers, here.siteUrl)) return refuse(refusals.crossSite);
  const key = keyIn(headers);
  if (!key.ok) return refuse(refusals.malformed);
  const encoding = encodingOf(headers);
  if (encoding === undefined) return refuse(refusals.unsupportedType);
  const content = contentOf(body.bytes, encoding);
  if (content === undefined) return refuse(refusals.malformed);

  const reception = await take(content, key.idempotencyKey, route, here);
  if (content.encoding === "form") return answerForm(reception, route.form, content.fields);
  if (!reception.ok) return refuse(reception.refusal);
  const { applicationId, submittedAt, replayed } = reception;
  return answerStored({ applicationId, submittedAt: seoulIso(submittedAt) }, replayed);
}

async function take(
  { fields, honeypot }: Content,
  idempotencyKey: string | undefined,
  route: Route,
  here: Surroundings,
): Promise<Reception> {
  // What is no object at all is an application of which everything is missing.
  const isObject = typeof fields === "object" && fields !== null && !Array.isArray(fields);
  const parsed = parseApplication(route.form, isObject ? fields : {});
  if (!parsed.ok) return { ok: false, refusal: invalidFields(parsed.errors) };
  const { application } = parsed;
  const { channel } = route;

  try {
    const newApplication = { channel, idempotencyKey, application, now: here.now() };
    const { acceptance, allowance, suspicion } = await admit(newApplication, honeypot, here);
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
