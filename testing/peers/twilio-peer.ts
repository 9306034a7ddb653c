/** A Twilio for tests, over real HTTP, which accepts and lists messages like the API, or misbehaves on request. */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listeningPort } from "#testing/peers/listening-port.ts";

export interface TwilioMessage {
  sid: string;
  to: string;
  /** A number or a messaging service's SID. */
  from: string;
  body: string;
  validityPeriod: number;
  status: string;
  errorCode: number | undefined;
  errorMessage: string | undefined;
  dateCreated: Date;
}

export interface TwilioMisbehaviour {
  /** Answers with this status and rejects the message, unless `stores`. */
  status?: number;
  code?: number;
  headers?: Record<string, string>;
  /** Answers with this body instead of JSON. */
  text?: string;
  /** Accepts the message before it misbehaves. */
  stores?: boolean;
  hangs?: boolean;
  resets?: boolean;
}

export const TWILIO_ACCOUNT = {
  accountSid: `AC${"0123456789abcdef".repeat(2)}`,
  authToken: "a-token-of-the-peer",
};

const ACCOUNT_PATH = `/2010-04-01/Accounts/${TWILIO_ACCOUNT.accountSid}`;
const MESSAGES_PATH = `${ACCOUNT_PATH}/Messages.json`;
const LOGIN = Buffer.from(`${TWILIO_ACCOUNT.accountSid}:${TWILIO_ACCOUNT.authToken}`);

export class TwilioPeer {
  readonly messages: TwilioMessage[] = [];
  /** The account that is billed. A subaccount has no balance. */
  readonly account = { status: "active", type: "Full", balance: "42.10", currency: "USD" };
  /** Number of requests to send a message, accepted or not. */
  requests = 0;
  listRequests = 0;
  messagesBecome: { status: string; code?: number; words?: string } = { status: "delivered" };
  /** Limit of messages per page of the list, even if a request asks for more. */
  mostPerPage = 1_000;
  /** True: every page of the list names a next one. A mock API with one fixed answer does so. */
  isEndless = false;
  /** Phone numbers of the account; undefined if the API key may not list the numbers. */
  phoneNumbers: string[] | undefined = ["+82215880000"];
  /** Further entries at the top of the list, such as those of another program on the account. */
  foreignEntries: unknown[] = [];
  /** True for an account that keeps no bodies (message redaction). */
  redacts = false;
  /** The misbehaviour with which every GET request is answered. */
  misbehaviourOnGet: TwilioMisbehaviour | undefined;
  #misbehaviours: TwilioMisbehaviour[] = [];
  #always: TwilioMisbehaviour | undefined;
  readonly #server = createServer((request, response) => {
    this.#handle(request, response).catch(() => response.destroy());
  });

  /** Starts to listen, and returns the base address for TWILIO_API_URL. */
  async start(port = 0, hostname = "127.0.0.1"): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(port, hostname, resolve));
    return this.url;
  }

  get url(): string {
    return `http://127.0.0.1:${listeningPort(this.#server)}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  [Symbol.asyncDispose]() {
    return this.stop();
  }

  /** Sets the misbehaviours for the next messages, one for each. */
  next(...misbehaviours: TwilioMisbehaviour[]): void {
    this.#misbehaviours.push(...misbehaviours);
  }

  /** Sets the misbehaviour for every message until the next call. */
  always(misbehaviour: TwilioMisbehaviour | undefined): void {
    this.#always = misbehaviour;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(request));
    const url = new URL(request.url ?? "/", "http://peer");
    if (request.headers.authorization !== `Basic ${LOGIN.toString("base64")}`)
      refuse(response, { status: 401, code: 20003 });
    else if (request.method === "GET") this.#answerGet(url, response);
    else if (url.pathname === MESSAGES_PATH) this.#create(form, response);
    else refuse(response, NOT_FOUND);
  }

  #answerGet({ pathname, searchParams }: URL, response: ServerResponse): void {
    if (pathname === MESSAGES_PATH) this.listRequests += 1;
    const [, sid] = /\/Messages\/(\w+)\.json$/.exec(pathname) ?? [];
    const one = this.messages.find((message) => message.sid === sid);
    const { balance, currency, ...account } = this.account;
    if (this.misbehaviourOnGet) misbehave(response, { status: 500, ...this.misbehaviourOnGet });
    else if (pathname === MESSAGES_PATH) this.#list(searchParams, response);
    else if (one) answer(response, 200, this.#asItIsNow(one));
    else if (pathname === `${ACCOUNT_PATH}.json`) answer(response, 200, account);
    else if (pathname === `${ACCOUNT_PATH}/IncomingPhoneNumbers.json` && this.phoneNumbers)
      answer(response, 200, { incoming_phone_numbers: this.#numbersLike(searchParams) });
    else if (pathname === `${ACCOUNT_PATH}/Balance.json` && balance)
      answer(response, 200, { balance, currency });
    else refuse(response, NOT_FOUND);
  }

  #numbersLike(query: URLSearchParams) {
    const sought = query.get("PhoneNumber") ?? "";
    const found = (this.phoneNumbers ?? []).filter((number) => number.includes(sought));
    return found.map((phone_number) => ({ sid: "PN1", phone_number }));
  }

  #asItIsNow(message: TwilioMessage) {
    message.status = this.messagesBecome.status;
    message.errorCode = this.messagesBecome.code;
    message.errorMessage = this.messagesBecome.words;
    return { ...messageResource(message), ...(this.redacts && { body: null }) };
  }

  #create(form: URLSearchParams, response: ServerResponse): void {
    this.requests += 1;
    const fault = this.#misbehaviours.shift() ?? this.#always;
    const message = parseMessage(form);
    const stores = fault === undefined || fault.stores === true;
    const wrong = stores ? rejectionCode(message) : undefined;
    if (stores && wrong === undefined) this.messages.push(message);

    if (wrong !== undefined) refuse(response, { status: 400, code: wrong });
    else if (fault) misbehave(response, fault, `${message.to} ${message.body}`);
    else answer(response, 201, messageResource(message));
  }

  #list(query: URLSearchParams, response: ServerResponse): void {
    const to = query.get("To");
    const messages = this.messages.filter((message) => to === null || message.to === to);
    const size = Math.min(Number(query.get("PageSize") ?? 50), this.mostPerPage);
    const page = Number(query.get("Page") ?? 0);
    // Twilio answers a page number without its token with the first page.
    const first = query.get("PageToken") === pageToken(page) ? page * size : 0;
    const newestFirst = messages.toReversed().slice(first, first + size);
    const next = new URLSearchParams({
      ...Object.fromEntries(query),
      Page: `${page + 1}`,
      PageToken: pageToken(page + 1),
    });
    answer(response, 200, {
      messages: [...this.foreignEntries, ...newestFirst.map((each) => this.#asItIsNow(each))],
      page,
      next_page_uri:
        this.isEndless || (page + 1) * size < messages.length ? `${MESSAGES_PATH}?${next}` : null,
    });
  }
}

const pageToken = (page: number) => `PASM${page}`;

function parseMessage(form: URLSearchParams): TwilioMessage {
  return {
    sid: `SM${randomBytes(16).toString("hex")}`,
    to: form.get("To") ?? "",
    from: form.get("From") ?? form.get("MessagingServiceSid") ?? "",
    body: form.get("Body") ?? "",
    validityPeriod: Number(form.get("ValidityPeriod")),
    status: "queued",
    errorCode: undefined,
    errorMessage: undefined,
    dateCreated: new Date(),
  };
}

/** Twilio's error code for a message that it would reject. */
function rejectionCode({ to, from, body }: TwilioMessage): number | undefined {
  if (!/^\+\d{8,15}$/.test(to)) return 21211;
  if (from === "") return 21603;
  if (body === "") return 21602;
  return body.length > 1_600 ? 21617 : undefined;
}

/** Answers as the misbehaviour says. A rejection quotes the message, as some rejections of Twilio do. */
function misbehave(response: ServerResponse, fault: TwilioMisbehaviour, echo = ""): void {
  if (fault.hangs) return;
  if (fault.resets) response.socket?.resetAndDestroy();
  else if (fault.text === undefined) refuse(response, fault, echo);
  else response.writeHead(fault.status ?? 201, fault.headers).end(fault.text);
}

function messageResource({ errorCode, errorMessage, dateCreated, ...message }: TwilioMessage) {
  const { sid, to, from, body, status } = message;
  return {
    ...{ sid, to, from, body, status, price: null, error_message: errorMessage ?? null },
    added_by_a_later_version: { of: "the API" },
    date_created: dateCreated.toUTCString(),
    error_code: errorCode ?? null,
  };
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const NOT_FOUND = { status: 404, code: 20404 };

function refuse(
  response: ServerResponse,
  { status = 201, code, headers }: TwilioMisbehaviour,
  echo = "",
): void {
  response
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(JSON.stringify({ code, message: `refused: ${echo}`, status }));
}
