import { refuseMethod, tellMethods } from "#lib/intake/answer.ts";
import { receiveApplication } from "#lib/intake/receive.ts";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

/** Applications from the form on /contact, delivered by mail. */
export const POST = (request: Request) =>
  receiveApplication(request, { channel: "mail", form: "contact" });

export const GET = refuseMethod;
export const PUT = refuseMethod;
export const PATCH = refuseMethod;
export const DELETE = refuseMethod;
export const OPTIONS = tellMethods;
