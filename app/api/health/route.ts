import { healthResponse } from "#lib/delivery/health.ts";

/** Answers a hosting platform: 200 while applications can be stored, otherwise 503. */
export const GET = () => healthResponse();
