import { receiveApplication } from "#lib/intake/receive.ts";
import { refuseMethod, tellMethods } from "#lib/intake/responses.ts";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

/** Applications from the form on /contact, delivered by mail. */
export const POST = (request: Request) => receiveApplication(request, "contact");

export const GET = refuseMethod;
export const PUT = refuseMethod;
export const PATCH = refuseMethod;
export const DELETE = refuseMethod;
export const OPTIONS = tellMethods;
