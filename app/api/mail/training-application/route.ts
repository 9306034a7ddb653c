import { receiveApplication } from "#lib/intake/receive.ts";

/** Applications from the form on /contact, delivered by mail. */
export const POST = (request: Request) => receiveApplication(request, "contact");
