/** The contract over the wire. What is refused, and why, is tried in lib/intake/receive-*.test.ts. */
import { JSON_TYPE, post, ROUTES } from "#testing/client.ts";
import { asJson } from "#testing/form.ts";
import { expect, withSite as test } from "#testing/test.ts";

test("an application is answered once under its key, on either route", async ({ site }) => {
  const headers = { ...JSON_TYPE, "idempotency-key": crypto.randomUUID() };
  const body = asJson({ name: "같은 열쇠" });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => post(site, index % 2 ? "mail" : "sms", body, headers)),
  );
  const texts = new Set(await Promise.all(answers.map((answer) => answer.text())));
  expect([...texts].map((text) => JSON.parse(text))).toEqual([
    {
      success: true,
      message: expect.any(String),
      data: {
        applicationId: expect.stringMatching(/^[2-9A-HJKMNP-TV-Z]{8}$/),
        submittedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+09:00$/),
      },
    },
  ]);
  const replayed = answers.filter(
    (answer) => answer.headers.get("idempotency-replayed") === "true",
  );
  expect(replayed).toHaveLength(19);
  const other = await post(site, "mail", asJson({ name: "다른 내용" }), headers);
  expect(other.status).toBe(422);
});

test("what is refused keeps its status on the wire, and is told in Korean", async ({ site }) => {
  const answers = [
    await post(site, "mail", asJson({ age: 101 })),
    await post(site, "mail", asJson(), { ...JSON_TYPE, "sec-fetch-site": "cross-site" }),
    await post(site, "mail", asJson(), { "content-type": "text/plain" }),
    await post(site, "mail", asJson({ message: "가".repeat(16_384) })),
    await fetch(site.url + ROUTES.mail),
  ];
  expect(answers.map(({ status }) => status)).toEqual([400, 403, 415, 413, 405]);
  for (const answer of answers.slice(0, -1))
    expect((await answer.json()).message).toMatch(/[가-힣]/);
});
