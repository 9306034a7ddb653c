import type { Site } from "#testing/site/site.ts";

export const ROUTE_PATHS = {
  sms: "/api/sms/training-application",
  mail: "/api/mail/training-application",
} as const;

export const JSON_HEADERS = { "content-type": "application/json" };
export const FORM_HEADERS = { "content-type": "application/x-www-form-urlencoded" };

/** Sends an application to one of the routes, without following redirects. */
export function postApplication(
  { url }: Pick<Site, "url">,
  route: keyof typeof ROUTE_PATHS,
  body: string,
  headers: Record<string, string> = JSON_HEADERS,
): Promise<Response> {
  return fetch(url + ROUTE_PATHS[route], { method: "POST", headers, body, redirect: "manual" });
}
