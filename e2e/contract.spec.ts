/** The HTTP contract. lib/intake/receive-*.test.ts tests every refusal. */

import { asJson } from "#testing/browser/form.ts";
import { expect, withSite as test } from "#testing/browser/test.ts";
import { JSON_TYPE, post, ROUTES } from "#testing/site/client.ts";

test("20 requests under one idempotency key store one application", async ({ site }) => {
  const headers = { ...JSON_TYPE, "idempotency-key": crypto.randomUUID() };
  const body = asJson({ name: "같은 열쇠" });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => post(site, index % 2 ? "mail" : "sms", body, headers)),
  );
  const texts = await Promise.all(answers.map((answer) => answer.text()));
  expect(new Set(texts).size).toBe(1);
  expect(JSON.parse(texts[0] ?? "")).toMatchObject({ success: true });
  const replays = answers.map(({ headers }) => headers.get("idempotency-replayed"));
  expect(replays.filter((replayed) => replayed === "true")).toHaveLength(19);

  const refused = [
    await post(site, "mail", asJson({ name: "다른 내용" }), headers),
    await post(site, "mail", asJson({ age: 101 })),
    await post(site, "mail", asJson(), { ...JSON_TYPE, "sec-fetch-site": "cross-site" }),
    await post(site, "mail", asJson(), { "content-type": "text/plain" }),
    await post(site, "mail", asJson({ message: "가".repeat(16_384) })),
  ];
  expect(refused.map(({ status }) => status)).toEqual([422, 400, 403, 415, 413]);
  for (const answer of refused) expect((await answer.json()).message).toMatch(/[가-힣]/);
  expect((await fetch(site.url + ROUTES.mail)).status).toBe(405);
});
