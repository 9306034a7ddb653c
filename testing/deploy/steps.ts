/** The steps of the rehearsals with and without containers. */
import { setTimeout as pause } from "node:timers/promises";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { MINUTE } from "#lib/application/durations.ts";
import { pagePaths } from "#lib/content/pages.ts";
import {
  expectThat,
  fetchStatusCode,
  publishNextVersion,
  waitUntil,
} from "#testing/deploy/inside-machine.ts";
import { Visitors } from "#testing/deploy/visitors.ts";
import { TwilioPeer } from "#testing/peers/twilio-peer.ts";
import { extractApplicationIds } from "#testing/site/application-numbers.ts";
import { smsSettings } from "#testing/site/settings.ts";
import { HIGH_LIMITS } from "#testing/site/site.ts";

export const ORIGIN = "https://practice.example";
/** A phone number that no file of the product contains, so that the image can have it only from the settings. */
export const FIRST_PHONE = "010-7351-9264";
/** The worker searches half an hour for a text that was being sent at a kill, or when a backup was made. */
const DELIVERY_LIMIT_MS = 35 * MINUTE;

export const twilio = new TwilioPeer();
// Containers reach the fake Twilio at the machine's network address, not at 127.0.0.1.
await twilio.start(8_080, "0.0.0.0");
export const visitors = new Visitors(ORIGIN);

export const SETTINGS: Readonly<Record<string, string>> = {
  SITE_URL: ORIGIN,
  INQUIRY_PHONE: FIRST_PHONE,
  ...smsSettings(twilio),
  TWILIO_API_URL: "http://10.0.2.100:8080",
  BUSINESS_NAME: "차근차근 운전연수",
  BUSINESS_OWNER: "김여주",
  BUSINESS_REGISTRATION: "123-45-67890",
  BUSINESS_ADDRESS: "경기도 여주시 세종로 1",
  BUSINESS_EMAIL: "owner@practice.example",
  ACADEMY_REGISTRATION: "제1호",
  ...HIGH_LIMITS,
};

/** The site in containers, or without them. */
export interface Installation {
  /** The requests that may fail while the site restarts. */
  mayFail: readonly "GET"[];
  update: () => Promise<void>;
  /** Changes settings, and makes the site read them. */
  changeSettings: (settings: Record<string, string>) => Promise<void>;
  listApplications: () => string;
}

const fetchPage = async (path: string) => (await fetch(ORIGIN + path)).text();

async function assetsOf(path: string): Promise<string[]> {
  const found = (await fetchPage(path)).matchAll(/(?:src|href)="(\/_next\/static\/[^"?]+)/g);
  return [...new Set([...found].map(([, asset = ""]) => asset))];
}

/** Trusts the proxy's own certificate, because no certificate authority certifies an invented domain. */
export async function expectServedWith(certificate: string): Promise<void> {
  setDefaultCACertificates([...getCACertificates(), certificate]);
  await waitUntil(async () => (await fetchStatusCode(ORIGIN)) === 200);
  expectThat("the site is up over https", (await fetchPage("/")).includes('lang="ko"'));
  const www = await fetch("https://www.practice.example/pricing?a=1", { redirect: "manual" });
  const target = www.headers.get("location");
  expectThat(`www leads to it: ${www.status} ${target}`, target === `${ORIGIN}/pricing?a=1`);
}

export async function updateUnderLoad(installation: Installation): Promise<void> {
  console.info("\n# An update under load");
  const assets = await assetsOf("/");
  publishNextVersion();
  visitors.arrive([...pagePaths, "/api/health", ...assets]);
  await pause(3_000);
  await installation.update();
  await pause(3_000);
  await visitors.leave(installation.mayFail);
  const after = await assetsOf("/");
  const changed = assets.filter((asset) => !after.includes(asset));
  expectThat(`${changed.length} files of the new build have other names`, changed.length > 0);
  const old = await Promise.all(changed.map((asset) => fetch(ORIGIN + asset)));
  const areThere = old.every(({ ok }) => ok);
  expectThat("a page of the old build still gets its files", areThere);
  await expectNothingLost(installation);
}

export async function changePhone(installation: Installation): Promise<void> {
  console.info("\n# A changed number, under the same load");
  visitors.arrive(pagePaths);
  await pause(1_000);
  const phone = "010-8765-4321";
  await installation.changeSettings({ INQUIRY_PHONE: phone });
  await visitors.leave(installation.mayFail);
  const pages = await Promise.all([...pagePaths, "/nowhere"].map(fetchPage));
  const isNew = pages.every((html) => html.includes(phone) && !html.includes(FIRST_PHONE));
  expectThat("every page has the new number, none the old one [73]", isNew);
}

export function countTextsByNumber(): Map<string, number> {
  const counts = new Map<string, number>();
  // The last number in a text is that of its application. An earlier line may name another application.
  for (const { body } of twilio.messages)
    for (const number of extractApplicationIds(body).slice(-1))
      counts.set(number, (counts.get(number) ?? 0) + 1);
  return counts;
}

/** Waits up to DELIVERY_LIMIT_MS, and returns the applications that are still without a message. */
export async function awaitDelivery(numbers: readonly string[]): Promise<string[]> {
  const deadline = Date.now() + DELIVERY_LIMIT_MS;
  for (;;) {
    const open = numbers.filter((number) => !countTextsByNumber().has(number));
    if (open.length === 0 || Date.now() > deadline) return open;
    await pause(250);
  }
}

/** Checks that every confirmed application is stored and arrived once. */
export async function expectNothingLost({ listApplications }: Installation): Promise<void> {
  const { acknowledged } = visitors;
  const stored = new Set(extractApplicationIds(listApplications()));
  const lost = [...acknowledged.keys()].filter((number) => !stored.has(number));
  expectThat(`${acknowledged.size} acknowledged, ${lost.length} not stored`, lost.length === 0);
  const open = await awaitDelivery([...acknowledged.keys()]);
  const twice = [...countTextsByNumber()]
    .filter(([, count]) => count > 1)
    .map(([number]) => number);
  const neither = open.length + twice.length === 0;
  expectThat(`${open.length} did not arrive, ${twice.length} came twice ${twice}`, neither);
}
