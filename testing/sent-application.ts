/** An application as the routes get it, without a server around them: what is sent, into which store, and the answer. */
import { formResultIn } from "#lib/intake/form-result.ts";
import { type Limits, openLimits } from "#lib/intake/limits.ts";
import { receiveApplication } from "#lib/intake/receive.ts";
import type { Store } from "#lib/storage/store.ts";
import { FIELDS } from "#testing/fixtures/request.ts";
import { TEST_NOW } from "#testing/temporary-store.ts";

export const SITE = "https://site.example";
const URL_OF = {
  sms: `${SITE}/api/sms/training-application`,
  mail: `${SITE}/api/mail/training-application`,
};
const FORM_OF = { sms: "dialog", mail: "contact" } as const;
export const JSON_TYPE = { "content-type": "application/json", host: "site.example" };
export const FORM_TYPE = {
  "content-type": "application/x-www-form-urlencoded",
  host: "site.example",
};

export interface Sent {
  route?: "sms" | "mail";
  body?: BodyInit;
  headers?: Record<string, string>;
  store?: Store;
  bodyTimeLimitMs?: number;
  now?: number;
  limits?: Limits;
  address?: string;
}

const roomyLimits = openLimits({
  addressRequestsPerMinute: 100_000,
  addressApplicationsPer10Minutes: 100_000,
  totalApplicationsPerMinute: 100_000,
});

/** Sends a request to a route, into a store that is asked for nothing unless one is named. */
export async function send({
  route = "sms",
  body = JSON.stringify(FIELDS),
  headers = JSON_TYPE,
  store = unusedStore,
  bodyTimeLimitMs = 10_000,
  now = TEST_NOW,
  limits = roomyLimits,
  address = "192.0.2.1",
}: Sent = {}) {
  const accept: Store["accept"] = (application) => store.accept(application);
  const init = { method: "POST", headers, body, duplex: "half" } as const;
  const response = await receiveApplication(new Request(URL_OF[route], init), FORM_OF[route], {
    store: { accept, now: () => now },
    siteUrl: SITE,
    bodyTimeLimitMs,
    limits,
    address,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

function parsed(text: string) {
  return text === "" ? undefined : JSON.parse(text);
}

/** What the page shows to the browser that got these headers. */
export function resultIn(headers: Headers) {
  return formResultIn(/^form-result=([\w-]*); /.exec(headers.get("set-cookie") ?? "")?.[1]);
}

/** Any use of it is a fault of the test's subject, which would show as a 500. */
const unusedStore = new Proxy<Store>(Object.create(null), {
  get: () => {
    throw new Error("a refused request must not reach the store");
  },
});

export function storeThat(accept: Store["accept"]): Store {
  return new Proxy<Store>(Object.create(null), { get: () => accept });
}

/** The fields with another value in one of them. */
export const withField = (field: string, value: unknown) =>
  JSON.stringify({ ...FIELDS, [field]: value });
