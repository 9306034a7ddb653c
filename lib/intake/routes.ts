import type { FormName } from "#lib/application/fields.ts";
import type { Channel } from "#lib/application/stored-application.ts";

/** Which form a route serves, and which channel it delivers by. */
export interface Route {
  channel: Channel;
  form: FormName;
}

/** Where applications are sent to. The same two are the route files in app/api. */
export const APPLICATION_ROUTES = {
  "/api/sms/training-application": { channel: "sms", form: "dialog" },
  "/api/mail/training-application": { channel: "mail", form: "contact" },
} as const satisfies Record<string, Route>;
