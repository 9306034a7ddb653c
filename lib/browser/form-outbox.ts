/** What a form needs of the outbox: one piece of code, loaded when the page is idle, at the latest on the press. */
import { drainLater } from "#lib/browser/drain.ts";
import { prepareOutbox } from "#lib/browser/outbox.ts";
import { submitApplication } from "#lib/browser/submit.ts";
import { isOnDevice } from "#lib/browser/take-up.ts";

export const formOutbox = { drainLater, isOnDevice, prepareOutbox, submitApplication };
