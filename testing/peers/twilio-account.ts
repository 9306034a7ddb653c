/**
 * What the peer tells about its account, in the shapes of Twilio's API:
 * https://www.twilio.com/docs/iam/api/account, …/docs/phone-numbers/api/incomingphonenumber-resource,
 * …/docs/voice/api/outgoing-caller-ids, …/docs/messaging/api/phonenumber-resource
 */
export class TwilioAccount {
  status: "active" | "suspended" | "closed" = "active";
  type: "Full" | "Trial" = "Full";
  /** Undefined as with a subaccount, which has none of its own. */
  balance: string | undefined = "42.10";
  koreaEnabled = true;
  /** The numbers that the account owns, and whether each can send text messages. */
  numbers = new Map([["+82215880000", { sms: true }]]);
  /** What a trial account may send to. */
  verified: string[] = [];
  /** The numbers of its messaging service. */
  serviceNumbers: string[] = ["+82215880000"];
  readonly #sid: string;

  constructor(sid: string) {
    this.#sid = sid;
  }

  /** The resource at an address, or undefined where there is none. */
  resource(url: URL): object | undefined {
    const own = `/2010-04-01/Accounts/${this.#sid}`;
    switch (url.pathname) {
      case `${own}.json`:
        return { sid: this.#sid, friendly_name: "peer", status: this.status, type: this.type };
      case `${own}/Balance.json`:
        return this.balance === undefined
          ? undefined
          : { account_sid: this.#sid, balance: this.balance, currency: "USD" };
      case `${own}/IncomingPhoneNumbers.json`:
        return this.#incoming(url.searchParams.get("PhoneNumber"));
      case `${own}/OutgoingCallerIds.json`:
        return page(
          "outgoing_caller_ids",
          this.verified.map((each) => ({ phone_number: each })),
        );
      case "/v1/Messaging/GeoPermissions":
        return {
          permissions: [{ country_code: "KR", type: "country", enabled: this.koreaEnabled }],
        };
    }
    if (!/^\/v1\/Services\/MG[0-9a-f]{32}\/PhoneNumbers$/.test(url.pathname)) return undefined;
    const numbers = this.serviceNumbers.map((each) => ({
      phone_number: each,
      capabilities: ["SMS"],
    }));
    return { phone_numbers: numbers, meta: { key: "phone_numbers", page: 0, next_page_url: null } };
  }

  #incoming(asked: string | null): object {
    const numbers = [...this.numbers]
      .filter(([number]) => asked === null || asked === number)
      .map(([number, { sms }]) => ({
        phone_number: number,
        capabilities: { voice: true, sms, mms: false, fax: false },
        status: "in-use",
      }));
    return page("incoming_phone_numbers", numbers);
  }
}

function page(name: string, items: object[]): object {
  return { [name]: items, page: 0, page_size: 50, next_page_uri: null };
}
