/** Mail addresses as people write them in settings: one parser for the start, the envelope and the header. */
import { domainToASCII } from "node:url";

/** A mailbox of RFC 5322. The domain of `address` is in punycode, so that every mail server accepts it. */
export interface Mailbox {
  /** The display name, without quotes. Empty where only an address was written. */
  name: string;
  address: string;
}

/** The `Atext` of RFC 5322. A local part outside ASCII would need SMTPUTF8, which few servers have. */
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const LOCAL_PART_LENGTH = 64;
/** `domainToASCII` also accepts ports, percent signs and numeric addresses, so only these characters pass. */
const TYPED_DOMAIN = /^[\p{L}\p{M}\p{N}.。．｡-]+$/u;
const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
/** A top-level domain is not numeric: `1.2` is an IPv4 address. `localhost` is this machine. */
const ASCII_DOMAIN = RegExp(`^(?:localhost|(?:${LABEL}\\.)+(?=[a-z])${LABEL})$`);

/** `이름 <site@연수.한국>` → the name and `site@xn--…`. Undefined for anything but exactly one mailbox. */
export function parseMailbox(text: string): Mailbox | undefined {
  const [, typedName, typedAddress] = /^(.*)<([^<>]*)>$/s.exec(text.trim()) ?? [];
  const name = nameFrom(typedName?.trim() ?? "");
  const address = addressFrom((typedAddress ?? text).trim());
  return name === undefined || address === undefined ? undefined : { name, address };
}

/** Parses mailboxes between commas; a comma in a quoted name separates nothing. Undefined where one is wrong. */
export function parseMailboxes(text: string): Mailbox[] | undefined {
  const parts = text.match(/(?:"(?:\\.|[^"\\])*"|[^,"]|")+/gs) ?? [];
  const mailboxes = parts.filter((part) => part.trim() !== "").map(parseMailbox);
  const valid = mailboxes.filter((mailbox) => mailbox !== undefined);
  return valid.length === mailboxes.length && valid.length > 0 ? valid : undefined;
}

/**
 * Reads a display name. A quoted name loses its quotes; another may contain anything but what looks like an address.
 */
function nameFrom(typed: string): string | undefined {
  const [, quoted] = /^"((?:\\.|[^"\\])*)"$/s.exec(typed) ?? [];
  const name = quoted?.replace(/\\(.)/gs, "$1") ?? typed;
  if (/\p{Cc}/u.test(name)) return undefined;
  return quoted === undefined && /[<>@]|^"/.test(name) ? undefined : name;
}

function addressFrom(typed: string): string | undefined {
  const at = typed.lastIndexOf("@");
  const local = typed.slice(0, Math.max(at, 0));
  const typedDomain = typed.slice(at + 1);
  const domain = TYPED_DOMAIN.test(typedDomain) ? domainToASCII(typedDomain) : "";
  const isValid =
    LOCAL_PART.test(local) && local.length <= LOCAL_PART_LENGTH && ASCII_DOMAIN.test(domain);
  return isValid ? `${local}@${domain}` : undefined;
}
