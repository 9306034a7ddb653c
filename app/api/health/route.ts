import { healthResponse } from "#lib/delivery/health.ts";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

/** Answers platforms: 200 while applications can be stored, otherwise 503. */
export const GET = () => healthResponse();
