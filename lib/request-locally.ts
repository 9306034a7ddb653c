import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";

/**
 * Requests an address of this machine without a proxy, because a proxy elsewhere could not reach the address. fetch
 * would obey NODE_USE_ENV_PROXY.
 * @throws if the response is not complete within the limit
 */
export async function requestLocally(
  url: string,
  limitMs: number,
  requestHeaders: Record<string, string> = {},
) {
  const signal = AbortSignal.timeout(limitMs);
  const request = get(url, { agent: new Agent(), signal, headers: requestHeaders });
  const response: IncomingMessage = (await once(request, "response"))[0];
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(response.headersDistinct))
    for (const value of values) headers.append(name, value);
  return { status: response.statusCode ?? 0, headers, body: await buffer(response) };
}
