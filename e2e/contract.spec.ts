import { streamSlowly } from "#testing/client.ts";
import { asJson, VALUES } from "#testing/form.ts";
import { expect, test } from "#testing/test.ts";

const PATH = "/api/mail/training-application";
const JSON_TYPE = { "content-type": "application/json" };

test.describe("the HTTP contract", () => {
  test("a stored application is answered with its number and Seoul's time", async ({ site }) => {
    const answer = await fetch(site.url + PATH, {
      method: "POST",
      headers: JSON_TYPE,
      body: asJson({ name: "계약" }),
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      success: true,
      message: expect.any(String),
      data: {
        applicationId: expect.stringMatching(/^[2-9A-HJKMNP-TV-Z]{8}$/),
        submittedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+09:00$/),
      },
    });
  });

  test("a repeated key is answered with the first answer, on either route; other content is refused", async ({
    site,
  }) => {
    const headers = { ...JSON_TYPE, "idempotency-key": crypto.randomUUID() };
    const send = (path: string, body: string) =>
      fetch(site.url + path, { method: "POST", headers, body });
    const body = asJson({ name: "같은 열쇠" });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        send(index % 2 ? PATH : "/api/sms/training-application", body),
      ),
    );
    const texts = new Set(await Promise.all(answers.map((answer) => answer.text())));
    expect(texts.size).toBe(1);
    expect(
      answers.filter((answer) => answer.headers.get("idempotency-replayed") === "true"),
    ).toHaveLength(19);
    expect((await send(PATH, asJson({ name: "다른 내용" }))).status).toBe(422);
  });

  test("without a key, the same content within a minute is one application", async ({ site }) => {
    const send = () =>
      fetch(site.url + PATH, {
        method: "POST",
        headers: JSON_TYPE,
        body: asJson({ name: "두 번" }),
      });
    const first = await send();
    const second = await send();
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(await second.text()).toBe(await first.text());
  });

  const deep = `${"[".repeat(8_000)}${"]".repeat(8_000)}`;
  const WRONG: [
    what: string,
    body: BodyInit,
    headers: Record<string, string>,
    statuses: number[],
  ][] = [
    ["deep JSON", deep, JSON_TYPE, [400]],
    [
      "deep JSON in a field",
      asJson().replace('"김여주"', "[".repeat(3_000) + "]".repeat(3_000)),
      JSON_TYPE,
      [400],
    ],
    ["__proto__", '{"__proto__":{"name":"x"}}', JSON_TYPE, [400]],
    ["constructor.prototype", '{"constructor":{"prototype":{"name":"x"}}}', JSON_TYPE, [400]],
    ["an array for a text", asJson({ name: ["김여주"] }), JSON_TYPE, [400]],
    ["an object for a text", asJson({ phone: { toString: "x" } }), JSON_TYPE, [400]],
    ["a number for a text", asJson({ region: 5 }), JSON_TYPE, [400]],
    ["a boolean for the age", asJson({ age: true }), JSON_TYPE, [400]],
    ["a NUL for a name", asJson({ name: "\u0000" }), JSON_TYPE, [400]],
    ["NUL bytes", "\u0000\u0000", JSON_TYPE, [400]],
    [
      "a number of 15,000 digits",
      asJson().replace("34,", `${"9".repeat(15_000)},`),
      JSON_TYPE,
      [400],
    ],
    ["a number of a million digits", `{"age":${"9".repeat(1_000_000)}}`, JSON_TYPE, [413]],
    ["null", "null", JSON_TYPE, [400]],
    ["a bare text", '"x"', JSON_TYPE, [400]],
    ["nothing", "", JSON_TYPE, [400]],
    ["half a document", asJson().slice(0, 40), JSON_TYPE, [400]],
    ["UTF-16", Buffer.from(asJson(), "utf16le"), JSON_TYPE, [400, 415]],
    ["bytes that are no UTF-8", Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), JSON_TYPE, [400, 415]],
    ["EUC-KR by its name", asJson(), { "content-type": "application/json; charset=euc-kr" }, [415]],
    ["a compressed body", asJson(), { ...JSON_TYPE, "content-encoding": "gzip" }, [415]],
    ["plain text", asJson(), { "content-type": "text/plain" }, [415]],
    ["a multipart form", "--x--", { "content-type": "multipart/form-data; boundary=x" }, [415]],
    [
      "a key with a line break's look",
      asJson(),
      { ...JSON_TYPE, "idempotency-key": "a\tb" },
      [400],
    ],
    [
      "a key of 256 characters",
      asJson(),
      { ...JSON_TYPE, "idempotency-key": "k".repeat(256) },
      [400],
    ],
  ];
  test("what is no application is refused in Korean, never with a 500", async ({ site }) => {
    for (const [what, body, headers, statuses] of WRONG) {
      const answer = await fetch(site.url + PATH, { method: "POST", headers, body });
      expect(statuses, what).toContain(answer.status);
      const said = await answer.json();
      expect(said.success, what).toBe(false);
      expect(said.message, what).toMatch(/[가-힣]/);
      expect(JSON.stringify(said), what).not.toContain(VALUES.phone);
    }
  });

  test("lone surrogates are put right, not refused", async ({ site }) => {
    const body = asJson().replace("김여주", "김\\ud800여주");
    const answer = await fetch(site.url + PATH, { method: "POST", headers: JSON_TYPE, body });
    expect(answer.status).toBe(200);
  });

  test("every wrong field is named, in Korean, by its own limits", async ({ site }) => {
    const body = asJson({ age: 101, gender: "?", preferredDate: "2026-02-30", name: "" });
    const contact = await fetch(site.url + PATH, { method: "POST", headers: JSON_TYPE, body });
    expect(contact.status).toBe(400);
    const { errors } = await contact.json();
    expect(Object.keys(errors).sort()).toEqual(["age", "gender", "name", "preferredDate"]);
    for (const [message] of Object.values<string[]>(errors)) expect(message).toMatch(/[가-힣]/);

    const headers = JSON_TYPE;
    const ofNinety = asJson({ age: 90, name: "아흔" });
    const dialog = await fetch(`${site.url}/api/sms/training-application`, {
      method: "POST",
      headers,
      body: ofNinety,
    });
    expect(dialog.status).toBe(400);
    expect((await fetch(site.url + PATH, { method: "POST", headers, body: ofNinety })).status).toBe(
      200,
    );
  });

  test("another site's form is refused, our own is not", async ({ site }) => {
    const send = (headers: Record<string, string>) =>
      fetch(site.url + PATH, {
        method: "POST",
        headers: { ...JSON_TYPE, ...headers },
        body: asJson({ name: "출처" }),
      });
    expect((await send({ "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await send({ origin: "https://elsewhere.example" })).status).toBe(403);
    expect((await send({ origin: "null" })).status).toBe(403);
    expect((await send({ origin: site.url })).status).toBe(200);
    expect((await send({ origin: site.url, "sec-fetch-site": "same-origin" })).status).toBe(200);
  });

  test("other methods are answered with the one that is allowed", async ({ site }) => {
    for (const method of ["GET", "PUT", "DELETE", "PATCH"]) {
      const answer = await fetch(site.url + PATH, { method });
      expect(answer.status).toBe(405);
      expect(answer.headers.get("allow")).toBe("POST");
    }
  });

  test("a body that goes on past 16 KiB is cut off while it streams", async ({ site }) => {
    const { status, sent } = await streamSlowly(site.url + PATH, {
      chunk: "x".repeat(4_096),
      everyMs: 5,
      chunks: 10_000,
    });
    expect(status).toBe(413);
    expect(sent).toBeLessThan(2_000);
  });
});
