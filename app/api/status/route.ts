import { statusResponse } from "#lib/delivery/health.ts";

/** Answers a monitor that calls a person: 503 as soon as a person has to act, otherwise 200. */
export const GET = () => statusResponse();
