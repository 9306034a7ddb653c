import { receiveApplication } from "#lib/intake/receive.ts";

/** Applications from the dialog on the home page, delivered by SMS. */
export const POST = (request: Request) => receiveApplication(request, "dialog");
