import { expect } from "vitest";
import { responseMessages } from "#lib/application/messages.ts";
import { createLimits } from "#lib/intake/limits.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { VALID_FIELDS } from "#testing/fixtures/valid-fields.ts";
import {
  callIntake,
  type IntakeRequest,
  parseResultCookie,
  storeWithAccept,
} from "#testing/site/call-intake.ts";
import { FORM_HEADERS } from "#testing/site/client.ts";
import { testWithStore as test } from "#testing/storage/temporary-store.ts";

const asForm = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const TYPED_VALUES = { ...VALID_FIELDS, age: "32" };

const fullStore = storeWithAccept(() => Promise.reject(new StorageUnavailable("No room.", "full")));
const noneAllowed = createLimits({
  addressRequestsPerMinute: 0,
  addressApplicationsPer10Minutes: 0,
  totalApplicationsPerMinute: 0,
});
const broken = () => {
  throw new TypeError("our own");
};
const limited: IntakeRequest = {
  limits: noneAllowed,
  store: storeWithAccept(async () => ({ outcome: "not-a-repeat" })),
};
const FOREIGN = { ...FORM_HEADERS, origin: "https://elsewhere.example" };
type Said = "unavailable" | "tooMany" | "crossSite" | "tooLarge" | "malformed";
test.for<[what: string, sent: IntakeRequest, said: Said, values: Record<string, string>]>([
  ["while the store is unavailable", { store: fullStore }, "unavailable", TYPED_VALUES],
  [
    "while the counting of requests throws",
    { limits: { ...noneAllowed, countRequest: broken } },
    "unavailable",
    {},
  ],
  ["from an address over its limit", limited, "tooMany", TYPED_VALUES],
  ["from another site's page", { headers: FOREIGN }, "crossSite", {}],
  ["that is too large", { body: "x".repeat(20_000) }, "tooLarge", {}],
  ["with escapes of EUC-KR", { body: "name=%B1%E8%C3%B6%BC%F6" }, "malformed", {}],
])("a form without script %s gets a result page [39]", async ([, sent, said, values]) => {
  const { status, headers } = await callIntake({
    ...{ body: asForm(TYPED_VALUES), headers: FORM_HEADERS },
    ...sent,
  });
  expect(status).toBe(303);
  expect(headers.get("set-cookie")).toMatch(/; Secure$/);
  expect(headers.get("cache-control")).toBe("no-store");
  if (said === "tooLarge") expect(headers.get("connection")).toBe("close");
  const message = expect.stringMatching(responseMessages[said]);
  expect(parseResultCookie(headers)).toMatchObject({ kind: "refused", message, values });
  if (sent.headers) expect(parseResultCookie(headers)).toHaveProperty("values", {});
});

test("a form with every character escaped fits the size limit", async ({ store }) => {
  const message = "🚗".repeat(1_000);
  const body = `message=&${asForm({ ...TYPED_VALUES, message })}`;
  expect((await callIntake({ body, headers: FORM_HEADERS, store })).status).toBe(303);
  expect(await store.list({})).toMatchObject([{ application: { message } }]);
});
