/** Sends an application through the intake, without a server. */
import { Readable } from "node:stream";
import type { FormName } from "#lib/application/fields.ts";
import { parseFormResult } from "#lib/intake/form-result-cookie.ts";
import { createLimits } from "#lib/intake/limits.ts";
import { receiveApplication } from "#lib/intake/receive.ts";
import type { Store } from "#lib/storage/store.ts";
import { VALID_FIELDS } from "#testing/fixtures/valid-fields.ts";
import { JSON_HEADERS } from "#testing/site/client.ts";
import { TEST_NOW } from "#testing/storage/temporary-store.ts";

export const SITE_ORIGIN = "https://site.example";

const highLimits = createLimits({
  addressRequestsPerMinute: 100_000,
  addressApplicationsPer10Minutes: 100_000,
  totalApplicationsPerMinute: 100_000,
});

/** Any use of this store causes a 503. */
const unusedStore = new Proxy<Store>(Object.create(null), {
  get: () => {
    throw new Error("a refused request must not reach the store");
  },
});

export async function callIntake({
  form = "dialog" as FormName,
  body = JSON.stringify(VALID_FIELDS) as BodyInit,
  headers = JSON_HEADERS as Record<string, string>,
  store = unusedStore,
  bodyTimeLimitMs = 10_000,
  limits = highLimits,
  address = "192.0.2.1",
  onStored = () => undefined,
} = {}) {
  const accept: Store["accept"] = (application) => store.accept(application);
  const response = await receiveApplication(requestWithBody(body, headers), form, {
    store: { accept, now: () => TEST_NOW },
    siteUrl: SITE_ORIGIN,
    bodyTimeLimitMs,
    limits,
    address,
    onStored,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parseBody(text) };
}

/** A request as Node gives it to a server, with lower-case headers. */
export function requestWithBody(body: BodyInit, init: Record<string, string> = {}) {
  const headers = Object.fromEntries(new Headers(init));
  const stream = new Response(body).body ?? [];
  return Object.assign(Readable.from(stream), { headers });
}

export type IntakeRequest = NonNullable<Parameters<typeof callIntake>[0]>;

function parseBody(text: string) {
  return text === "" ? undefined : JSON.parse(text);
}

export function parseResultCookie(headers: Headers) {
  return parseFormResult(/^form-result=([\w-]*); /.exec(headers.get("set-cookie") ?? "")?.[1]);
}

export function storeWithAccept(accept: Store["accept"]): Store {
  return new Proxy<Store>(Object.create(null), { get: () => accept });
}

export const bodyWithField = (field: string, value: unknown) =>
  JSON.stringify({ ...VALID_FIELDS, [field]: value });
