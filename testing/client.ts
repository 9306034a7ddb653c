/** A client without a browser, as a script or an attacker would write it. */
import { request } from "node:http";
import type { Site } from "#testing/site.ts";

export const ROUTES = {
  sms: "/api/sms/training-application",
  mail: "/api/mail/training-application",
} as const;

export const JSON_TYPE = { "content-type": "application/json" };
export const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded" };

/** Sends an application to one of the routes; follows no redirect. */
export function post(
  site: Site,
  route: keyof typeof ROUTES,
  body: string,
  headers: Record<string, string> = JSON_TYPE,
): Promise<Response> {
  return fetch(site.url + ROUTES[route], { method: "POST", headers, body, redirect: "manual" });
}

/** The page that a form sent without JavaScript is redirected to, as a browser gets it from this server. */
export async function followedForm(answer: Response, siteUrl: string): Promise<string> {
  const [cookie = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
  const location = new URL(answer.headers.get("location") ?? "", siteUrl);
  return (await fetch(location, { headers: { cookie } })).text();
}

/** How many of each status there are: `{ 200: 10, 429: 90 }`. */
export function statusCounts(statuses: number[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Does the work for each item, some at a time; returns the results in order. */
export async function eachOf<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const [index, item] of waiting) results[index] = await work(item);
    }),
  );
  return results;
}

/** A chunked body that goes on until it was sent in full or the server hangs up. */
export function streamBody(
  site: Site,
  { megabytes }: { megabytes: number },
): Promise<{ status: number | undefined; sentBytes: number }> {
  const chunk = Buffer.alloc(1024 * 1024, "x");
  return new Promise((resolve) => {
    let status: number | undefined;
    let sent = 0;
    const outgoing = request(site.url + ROUTES.mail, { method: "POST", headers: JSON_TYPE });
    const end = () => resolve({ status, sentBytes: outgoing.socket?.bytesWritten ?? sent });
    const send = () => {
      while (sent < megabytes * chunk.length && !outgoing.destroyed) {
        sent += chunk.length;
        if (!outgoing.write(chunk)) {
          outgoing.once("drain", send);
          return;
        }
      }
      outgoing.end();
    };
    outgoing.on("response", (answer) => {
      status = answer.statusCode;
      answer.resume();
    });
    outgoing.on("error", () => undefined);
    outgoing.on("close", end);
    send();
  });
}

/** Sends a chunked body slowly, until the server answers; returns the status and how many chunks went out. */
export function streamSlowly(
  url: string,
  { chunk, everyMs, chunks }: { chunk: string; everyMs: number; chunks: number },
): Promise<{ status: number; sent: number }> {
  return new Promise((resolve, reject) => {
    let sent = 0;
    const outgoing = request(url, { method: "POST", headers: JSON_TYPE }, (answer) => {
      clearInterval(timer);
      answer.resume();
      outgoing.destroy();
      resolve({ status: answer.statusCode ?? 0, sent });
    });
    const timer = setInterval(() => {
      if (sent++ < chunks) outgoing.write(chunk);
      else clearInterval(timer);
    }, everyMs);
    outgoing.on("error", (error) => {
      clearInterval(timer);
      reject(error);
    });
  });
}
