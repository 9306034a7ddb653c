/** Parses the addresses in settings. No error quotes an address, because an address may contain a password. */
import { domainToASCII } from "node:url";
import { isLocalSite } from "#lib/site-address.ts";

/** A host name in lower case without a trailing dot, or an IPv6 address in brackets. */
const HOST_PATTERN = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.|$))+(?<!\.)$|^\[[0-9a-f:.]+\]$/;

/** The result is in lower case and punycode, without default port and last slash, as deploy/caddy.sh makes it. */
export function normaliseOrigin(text: string): string | undefined {
  const isOrigin = /^https?:\/\/[^\s/?#@\\]+\/?$/i.test(text) && text.normalize("NFKC") === text;
  if (!isOrigin || !URL.canParse(text)) return undefined;
  const { protocol, hostname, port } = new URL(text);
  const host = hostname.replace(/\.$/, "");
  if (!HOST_PATTERN.test(host) || port === "0") return undefined;
  return `${protocol}//${host}${port && `:${port}`}`;
}

export interface MailServer {
  host: string;
  port: number;
  /** True: TLS from the first byte, always on port 465. False: STARTTLS. */
  secure: boolean;
  /** Undefined for a server that accepts mail without a login. */
  login?: { user: string; password: string };
}

/** The host in ASCII, without brackets. Undefined for anything but a host. */
export function hostInAscii(text: string): string | undefined {
  const host = text.replace(/^\[(.+)\]$/, "$1");
  if (/^[0-9a-f.]*:[0-9a-f:.]+$/i.test(host)) return host;
  return /^[^\s/?#@:[\]]+$/.test(host) ? domainToASCII(host) || undefined : undefined;
}

const isPort = (port: number) => port > 0 && port < 65_536;

function decodeLogin(login: string): [user: string, password: string] | undefined {
  try {
    const [user = "", ...password] = login.split(":");
    return [decodeURIComponent(user), decodeURIComponent(password.join(":"))];
  } catch {
    return undefined;
  }
}

/** The host is optional, because the query can name a socket's folder: postgres://user:pw@/db?host=/cloudsql/… */
const POSTGRES_URL_PATTERN =
  /^postgres(?:ql)?:\/\/(?:(?<login>[^\s/?#]*)@)?(?<host>[^\s/?#@:[\],]+|\[[0-9a-f:.]+\])?(?::(?<port>\d+))?(?:\/(?<database>[^\s@?#]*))?(?:\?(?<query>[^\s@#]*))?$/i;

export const hasPostgresScheme = (url: string) => /^postgres(ql)?:/i.test(url);

/** False for a path with `$`, or `~` at the start: only a shell expands them, and the site would create that folder. */
export const isLiteralPath = (text: string) => /^[^~$][^$]*$/.test(text);

/** The path in `file:path` or `file:///path`. Undefined if the URL names a host, or a shell would expand the path. */
export function databasePath(url: string): string | undefined {
  const path = /^file:(?:\/\/(?=\/))?(?!\/\/)(.+)$/.exec(url)?.[1];
  return path && isLiteralPath(path) ? path : undefined;
}

/** Host, port and database, for messages. Undefined if the URL cannot be parsed. */
export function postgresServerName(url: string): string | undefined {
  const { login = "", host, port, database, query } = POSTGRES_URL_PATTERN.exec(url)?.groups ?? {};
  const socket = new URLSearchParams(query).get("host");
  const place = socket ?? host;
  const isReadable = place && isPort(Number(port ?? 5432)) && decodeLogin(login);
  return isReadable ? `${place}${port ? `:${port}` : ""}/${database ?? ""}` : undefined;
}

/** True for a PostgreSQL URL that names a host on the internet and says nothing about TLS, not even `disable`. */
export function lacksRequiredTls(url: string): boolean {
  const { host, query } = POSTGRES_URL_PATTERN.exec(url)?.groups ?? {};
  const parameters = new URLSearchParams(query);
  if (!host?.includes(".") || isLocalSite(`http://${host}`)) return false;
  return ["sslmode", "ssl", "sslrootcert"].every((name) => !parameters.has(name));
}
