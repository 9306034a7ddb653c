import { healthResponse } from "#lib/delivery/health.ts";

/** Answers platforms: 200 while applications can be stored, otherwise 503. */
export const GET = () => healthResponse();
