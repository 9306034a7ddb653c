import { expect, test } from "vitest";
import { carrierFor } from "#lib/delivery/plan.ts";

const all = () => true;
const none = () => false;

test("each form's application goes by its own channel, or by file where that is not configured", () => {
  expect(carrierFor({ channel: "sms" }, all)).toBe("sms");
  expect(carrierFor({ channel: "mail" }, all)).toBe("mail");
  expect(carrierFor({ channel: "sms" }, none)).toBe("file");
});

test("what looks automated goes by mail or file, and never by SMS", () => {
  for (const suspicion of ["honeypot", "flooding"] as const) {
    expect(carrierFor({ channel: "sms", suspicion }, all)).toBe("mail");
    expect(carrierFor({ channel: "sms", suspicion }, (carrier) => carrier === "sms")).toBe("file");
  }
});
