import { healthResponse } from "#lib/delivery/health.ts";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

/** For monitors: 200 while applications are taken and delivered, otherwise 503. */
export const GET = () => healthResponse();
