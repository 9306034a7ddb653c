import { domainToASCII } from "node:url";
import addressparser from "nodemailer/lib/addressparser";

/** The domain of `address` is in punycode, which every mail server accepts. */
export interface Mailbox {
  /** The display name without quotes; empty if only an address was written. */
  name: string;
  address: string;
}

/** The `Atext` of RFC 5322. Characters outside ASCII would need SMTPUTF8, which few servers support. */
const LOCAL_PART_PATTERN = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
/** A top-level domain is not numeric: `1.2` is an IPv4 address. */
const DOMAIN_PATTERN = /^(localhost|([a-z0-9-]+\.)+[a-z][a-z0-9-]*)$/;

/** `이름 <site@연수.한국>` → the name and `site@xn--…`. Undefined for anything but exactly one mailbox. */
export function parseMailbox(text: string): Mailbox | undefined {
  // An unquoted name may contain what separates mailboxes in a list: `차근차근: 운전연수, 이천 <a@b.kr>`.
  const [first, ...others] = parseMailboxes(text.replace(/^([^"<>@]+)</, '"$1"<')) ?? [];
  return others.length === 0 ? first : undefined;
}

/** Parses mailboxes that are separated by commas. Undefined if a mailbox is invalid. */
export function parseMailboxes(text: string): Mailbox[] | undefined {
  const parsed = addressparser(text);
  const mailboxes = parsed.flatMap(({ name, address = "" }) => {
    const [, local = "", domain = ""] = /^([^@]+)@([^@]+)$/.exec(address) ?? [];
    const host = domainToASCII(domain);
    const isValid = LOCAL_PART_PATTERN.test(local) && DOMAIN_PATTERN.test(host);
    return isValid ? [{ name: name.trim(), address: `${local}@${host}` }] : [];
  });
  // The parser drops what it does not understand, so @ and < are counted: no mail may go to anybody else.
  const named = mailboxes.filter(({ name }) => name !== "");
  const isNothingDropped =
    count(text, "@") === mailboxes.length && count(text, "<") >= named.length;
  const isValid = mailboxes.length === parsed.length && mailboxes.length > 0 && isNothingDropped;
  return isValid && !/\p{Cc}/u.test(text) ? mailboxes : undefined;
}

const count = (text: string, sign: string) => text.split(sign).length - 1;
