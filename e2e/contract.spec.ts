/** The contract over the wire. What is refused, and why, is tried in lib/intake/receive-*.test.ts. */
import { JSON_TYPE, post, ROUTES } from "#testing/client.ts";
import { asJson, VALUES } from "#testing/form.ts";
import { expect, withSite as test } from "#testing/test.ts";

test("an application is answered with its number and Seoul's time, and the same again under its key, on either route", async ({
  site,
}) => {
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

test("what is no application is refused in Korean, with every wrong field and nothing of what was written", async ({
  site,
}) => {
  const wrong = { age: 101, gender: "?", preferredDate: "2026-02-30", name: "" };
  const refused = await post(site, "mail", asJson(wrong));
  expect(refused.status).toBe(400);
  const { message, errors } = await refused.json();
  expect(message).toMatch(/[가-힣]/);
  expect(Object.keys(errors).toSorted()).toEqual(Object.keys(wrong).toSorted());
  expect(JSON.stringify(errors)).not.toContain(VALUES.phone);

  const statuses = [
    await post(site, "mail", asJson(), { ...JSON_TYPE, "sec-fetch-site": "cross-site" }),
    await post(site, "mail", asJson(), { "content-type": "text/plain" }),
    await post(site, "mail", asJson({ message: "가".repeat(16_384) })),
    await fetch(site.url + ROUTES.mail),
  ].map(({ status }) => status);
  expect(statuses).toEqual([403, 415, 413, 405]);
});
