import type { FormName } from "#lib/application/fields.ts";
import { parseApplication } from "#lib/application/rules.ts";
import {
  decodeBody,
  type EnteredValues,
  findBodyFormat,
  type RequestWithBody,
  readBody,
} from "#lib/intake/body.ts";
import { formResponse } from "#lib/intake/form-result-cookie.ts";
import type { Allowance, Limits } from "#lib/intake/limits.ts";
import { isCrossSite, parseIdempotencyKey } from "#lib/intake/request-headers.ts";
import { type IntakeResult, jsonResponse, type Refusal, refusals } from "#lib/intake/responses.ts";
import { log } from "#lib/log.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { Store } from "#lib/storage/store.ts";
import type { Route } from "#lib/storage/stored-application.ts";

/** The route is also the preferred channel, unless the application looks automated. */
const ROUTE_BY_FORM = { dialog: "sms", contact: "mail" } as const satisfies Record<FormName, Route>;

const BODY_TIME_LIMIT_MS = 10_000;

export interface IntakeDeps {
  store: Pick<Store, "accept" | "now">;
  limits: Limits;
  siteUrl: string;
  /** The visitor's address; undefined if it is private, because many visitors may share it. */
  address: string | undefined;
  /** Called for each stored application. */
  onStored?: () => void;
  bodyTimeLimitMs?: number;
}

/** Never throws: every outcome is a response. */
export async function receiveApplication(
  request: RequestWithBody,
  form: FormName,
  dependencies: IntakeDeps,
): Promise<Response> {
  // The cast is safe: Node gives each header as one string, except Set-Cookie, which is not read here.
  const headers = new Headers(request.headers as Record<string, string>);
  const result = await acceptOrRefuse(request, headers, form, dependencies).catch((error) =>
    refusedResult(refuseUnavailable(error, form)),
  );
  if (findBodyFormat(headers) !== "form") return jsonResponse(result);
  const secure = dependencies.siteUrl.startsWith("https:");
  return formResponse(result, form, result.values, { secure });
}

/** `values`: the result page shows the values again to a browser without JavaScript. */
const refusedResult = (refusal: Refusal, values: EnteredValues = {}) =>
  ({ ok: false, refusal, values }) as const;

async function acceptOrRefuse(
  request: RequestWithBody,
  headers: Headers,
  form: FormName,
  dependencies: IntakeDeps,
) {
  const { limits, address, siteUrl, bodyTimeLimitMs = BODY_TIME_LIMIT_MS } = dependencies;
  const allowance = limits.countRequest(address);
  // The body is read before the request is judged, because an early response would reset the connection.
  const body = await readBody(request, bodyTimeLimitMs);
  if (typeof body === "string") return refusedResult(refusals[body]);
  const read = readApplication(headers, body, form, siteUrl);
  const { values } = read;
  if (read.ok) return { ...(await storeApplication(read, allowance, form, dependencies)), values };
  return allowance.ok ? read : refusedResult(refusals.tooMany(allowance.retryAfterSeconds), values);
}

function readApplication(headers: Headers, bytes: Uint8Array, form: FormName, siteUrl: string) {
  // Values that another site's page sent are not shown to our visitor.
  if (isCrossSite(headers, siteUrl)) return refusedResult(refusals.crossSite);
  const format = findBodyFormat(headers);
  const content = format && decodeBody(bytes, format);
  const values = content?.values ?? {};
  const key = parseIdempotencyKey(headers);
  if (key === undefined) return refusedResult(refusals.malformed, values);
  if (format === undefined) return refusedResult(refusals.unsupportedType, values);
  if (content === undefined) return refusedResult(refusals.malformed, values);
  const parsed = parseApplication(form, content.fields);
  if (!parsed.ok) return refusedResult(refusals.invalid(parsed.errors), values);
  const { isHoneypotFilled } = content;
  return { ok: true, application: parsed.application, isHoneypotFilled, values, ...key } as const;
}

/**
 * A repeat over a limit is still answered, because the server must not deny an application that it has. Repeats and
 * refusals count as requests; a new application counts only as an application.
 */
async function storeApplication(
  {
    application,
    isHoneypotFilled,
    idempotencyKey,
  }: ReturnType<typeof readApplication> & { ok: true },
  requestAllowance: Allowance,
  form: FormName,
  { store, limits, address, onStored }: IntakeDeps,
): Promise<IntakeResult> {
  const route = ROUTE_BY_FORM[form];
  const allowance = requestAllowance.ok ? limits.countApplication(address) : requestAllowance;
  const suspicion = isHoneypotFilled ? "honeypot" : allowance.isFlooding ? "flooding" : undefined;
  let isStored = false;
  try {
    const acceptance = await store.accept({
      route,
      idempotencyKey,
      application,
      suspicion,
      now: store.now(),
      isRepeatOnly: !allowance.ok,
    });
    if (acceptance.outcome === "not-a-repeat")
      return { ok: false, refusal: refusals.tooMany(allowance.retryAfterSeconds) };
    if (acceptance.outcome === "key-reused") return { ok: false, refusal: refusals.keyReused };
    const { applicationId, submittedAt } = acceptance;
    isStored = acceptance.outcome === "stored";
    log.info({ applicationId, route, replayed: !isStored, suspicion }, "application received");
    if (isStored) onStored?.();
    return { ok: true, applicationId, submittedAt, replayed: !isStored, application };
  } catch (error) {
    return { ok: false, refusal: refuseUnavailable(error, form) };
  } finally {
    if (isStored) limits.uncountRequest(address);
    else if (allowance.ok) limits.uncountApplication(address);
  }
}

/** Any error is answered with 503, because a browser resends after a 503. */
function refuseUnavailable(error: unknown, form: FormName): Refusal {
  const isExpected = error instanceof StorageUnavailable;
  const cause = isExpected ? { reason: error.reason } : { reason: "unknown", err: error };
  log.error(
    { route: ROUTE_BY_FORM[form], ...cause },
    "storing an application failed, answered 503",
  );
  return refusals.unavailable;
}
