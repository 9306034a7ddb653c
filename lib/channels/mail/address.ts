import { domainToASCII } from "node:url";

/** A mailbox of RFC 5322. The domain of `address` is in punycode, which every mail server accepts. */
export interface Mailbox {
  /** The display name without quotes; empty if only an address was written. */
  name: string;
  address: string;
}

/** The `Atext` of RFC 5322. Other characters would need SMTPUTF8, which few servers support. */
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
/** The characters of a domain, because `domainToASCII` also accepts ports, percent signs and numeric addresses. */
const TYPED_DOMAIN = /^[\p{L}\p{M}\p{N}.。．｡-]+$/u;
const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
/** A top-level domain is not numeric: `1.2` is an IPv4 address. */
const ASCII_DOMAIN = RegExp(`^(?:localhost|(?:${LABEL}\\.)+(?=[a-z])${LABEL})$`);

/** `이름 <site@연수.한국>` → the name and `site@xn--…`. Undefined for anything but exactly one mailbox. */
export function parseMailbox(text: string): Mailbox | undefined {
  const [, typedName, typedAddress] = /^(.*)<([^<>]*)>$/s.exec(text.trim()) ?? [];
  const name = parseName(typedName?.trim() ?? "");
  const address = parseAddress((typedAddress ?? text).trim());
  return name === undefined || address === undefined ? undefined : { name, address };
}

/** Parses mailboxes that are separated by commas; a quoted name may contain commas. Undefined if a mailbox is invalid. */
export function parseMailboxes(text: string): Mailbox[] | undefined {
  const parts = text.match(/(?:"(?:\\.|[^"\\])*"|[^,"]|")+/gs) ?? [];
  const mailboxes = parts.filter((part) => part.trim() !== "").map(parseMailbox);
  const valid = mailboxes.filter((mailbox) => mailbox !== undefined);
  return valid.length === mailboxes.length && valid.length > 0 ? valid : undefined;
}

/** An unquoted display name must not look like an address. */
function parseName(typed: string): string | undefined {
  const [, quoted] = /^"((?:\\.|[^"\\])*)"$/s.exec(typed) ?? [];
  const name = quoted?.replace(/\\(.)/gs, "$1") ?? typed;
  if (/\p{Cc}/u.test(name)) return undefined;
  return quoted === undefined && /[<>@]|^"/.test(name) ? undefined : name;
}

function parseAddress(typed: string): string | undefined {
  const at = typed.lastIndexOf("@");
  const local = typed.slice(0, Math.max(at, 0));
  const typedDomain = typed.slice(at + 1);
  const domain = TYPED_DOMAIN.test(typedDomain) ? domainToASCII(typedDomain) : "";
  const isValid = LOCAL_PART.test(local) && local.length <= 64 && ASCII_DOMAIN.test(domain);
  return isValid ? `${local}@${domain}` : undefined;
}
