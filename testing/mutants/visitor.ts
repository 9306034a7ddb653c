/** What the visitor's device keeps, and what the pages are. */
import type { Breakage } from "#testing/mutants/breakage.ts";

export const VISITOR: Breakage[] = [
  {
    breaks: "34: what has no answer is kept",
    file: "lib/browser/send.ts",
    from: 'return { kind: "later", errorText: undefined, reason: "connection", retryAfterMs: undefined };',
    to: 'return { kind: "refused", refusal: { errorText: "", errors: {} } };',
  },
  {
    breaks: "35: the application is on the device before it is sent",
    file: "lib/browser/sender.ts",
    from: "const isStored = await put(record);",
    to: "const isStored = true;",
    tests: ["e2e/offline-press.spec.ts"],
  },
  {
    breaks: "36: a repeat from the browser has the key of the first time",
    file: "lib/browser/send.ts",
    from: '"Idempotency-Key": key,',
    to: '"Idempotency-Key": crypto.randomUUID(),',
  },
  {
    breaks: "37: what cannot be kept is said",
    file: "lib/browser/sender.ts",
    from: '    return { kind: "unkept", reason, errorText };',
    to: '    return { kind: "kept", reason };',
    tests: ["e2e/missing-features.spec.ts"],
  },
  {
    breaks: "38: what the server refuses is not sent again",
    file: "lib/browser/record.ts",
    from: 'return { ...writtenOf(record), state: "refused", refusal: change.refusal };',
    to: "return record;",
  },
  {
    breaks: "39: the form posts without JavaScript",
    file: "components/application/application-form.tsx",
    from: "action={ENDPOINTS[name]}",
    to: "",
    tests: ["e2e/no-script.spec.ts"],
  },
  {
    breaks: "40: a picture that is missing",
    file: "components/ui/photo-image.tsx",
    from: "onError={() => setMissing(true)}",
    to: "",
    tests: ["e2e/pages.spec.ts"],
  },
  {
    breaks: "62: an answer ends only its own version",
    file: "lib/browser/record.ts",
    from: "return record.version === sent.version;",
    to: "return true;",
  },
  {
    breaks: "68: half typed, the last valid version goes out",
    file: "lib/browser/record.ts",
    from: "change.valid ? { ...withValues(record, change), held } : { ...record, held }",
    to: "{ ...withValues(record, change), held }",
  },
  {
    breaks: "69: a portal's own 403 is no refusal",
    file: "lib/browser/send.ts",
    from: "if (refusal && REFUSALS.includes(response.status))",
    to: "if (REFUSALS.includes(response.status))",
  },
  {
    breaks: "71: a clock that jumps leaves a day",
    file: "lib/browser/record.ts",
    from: "Math.min(now - record.lookedAt, LONGEST_STEP_MS)",
    to: "now - record.lookedAt",
  },
];
