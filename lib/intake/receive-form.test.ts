import { describe, expect, test } from "vitest";
import { answerMessages } from "#lib/application/messages.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { FIELDS } from "#testing/fixtures/request.ts";
import { FORM_TYPE, resultIn, send, storeThat } from "#testing/sent-application.ts";
import { TEST_NOW, temporaryStore } from "#testing/temporary-store.ts";

describe("a form sent without JavaScript", () => {
  const asForm = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
  const TYPED = { ...FIELDS, age: "32" };

  test("is stored and sent on to a page that knows its number, with nothing personal in the address", async () => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    const { status, headers, text } = await send({
      store,
      body: asForm(TYPED),
      headers: FORM_TYPE,
    });
    expect(status).toBe(303);
    expect(text).toBe("");
    expect(headers.get("location")).toBe("/contact/result#form-result");
    expect(headers.get("set-cookie")).toMatch(
      /; Path=\/contact\/result; Max-Age=1800; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(resultIn(headers)).toMatchObject({
      kind: "received",
      receipt: { applicationId: expect.any(String), submittedAt: "2026-12-01T09:30:00.000+09:00" },
      application: { name: "홍길동", gender: "female", age: 32 },
    });
    expect(await store.counts(TEST_NOW)).toMatchObject({ waiting: 1 });
  });

  test("with a wrong field is sent on to its entered values and the errors", async () => {
    const body = asForm({ ...TYPED, age: "17", extra: "x" });
    const { status, headers } = await send({ body, headers: FORM_TYPE, route: "mail" });
    expect(status).toBe(303);
    expect(resultIn(headers)).toEqual({
      kind: "refused",
      form: "contact",
      message: expect.any(String),
      errors: { age: [expect.stringContaining("18~100")] },
      values: { ...TYPED, age: "17" },
    });
  });

  test("keeps its values when the store is out", async () => {
    const store = storeThat(async () => {
      throw new StorageUnavailable("The disk is full.", "full");
    });
    const { headers } = await send({ store, body: asForm(TYPED), headers: FORM_TYPE });
    expect(resultIn(headers)).toMatchObject({
      kind: "refused",
      values: TYPED,
    });
  });

  test("from another site's page is refused, and nothing that it filled in is shown", async () => {
    const sent = { ...FORM_TYPE, origin: "https://elsewhere.example" };
    const { status, headers } = await send({ body: asForm(TYPED), headers: sent });
    expect(status).toBe(303);
    expect(resultIn(headers)).toMatchObject({
      kind: "refused",
      message: answerMessages.crossSite,
      values: {},
    });
  });

  test("that is too large is told so on the page, and the connection ends", async () => {
    const body = "x".repeat(20_000);
    const { status, headers } = await send({ body, headers: FORM_TYPE });
    expect(status).toBe(303);
    expect(headers.get("connection")).toBe("close");
    expect(resultIn(headers)).toMatchObject({ message: answerMessages.tooLarge });
  });

  test("that meets a fault in the program is told so on the page", async () => {
    const { status, headers } = await send({ body: asForm(TYPED), headers: FORM_TYPE });
    expect(status).toBe(303);
    expect(resultIn(headers)).toMatchObject({
      message: expect.stringMatching(/오류 번호 [0-9a-f]{8}/),
      values: TYPED,
    });
  });

  test("with every character escaped fits, at the longest message that is allowed", async () => {
    await using temporary = temporaryStore();
    const body = asForm({ ...TYPED, message: "🚗".repeat(1_000) });
    expect((await send({ body, headers: FORM_TYPE, store: temporary.store })).status).toBe(303);
  });
});
