import { receiveApplication } from "#lib/intake/receive.ts";
import { refuseMethod, tellMethods } from "#lib/intake/responses.ts";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

/** Applications from the dialog on the home page, delivered by SMS. */
export const POST = (request: Request) => receiveApplication(request, "dialog");

export const GET = refuseMethod;
export const PUT = refuseMethod;
export const PATCH = refuseMethod;
export const DELETE = refuseMethod;
export const OPTIONS = tellMethods;
