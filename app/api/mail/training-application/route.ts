import { receiveApplication } from "#lib/intake/receive.ts";

export const POST = (request: Request) => receiveApplication(request, "contact");
