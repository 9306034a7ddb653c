import type { Page } from "@playwright/test";

/** Which of these texts are somewhere among what the site keeps on the device, this tab's storage included. */
export async function keptOf(page: Page, texts: readonly string[]): Promise<string[]> {
  const everything = await everythingKept(page);
  return texts.filter((text) => everything.includes(text));
}

/** The addresses whose answers are kept. */
export function keptAddresses(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const addresses: string[] = [];
    for (const name of await caches.keys()) {
      const requests = await (await caches.open(name)).keys();
      addresses.push(...requests.map(({ url }) => new URL(url).pathname));
    }
    return addresses;
  });
}

function everythingKept(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const found: unknown[] = [{ ...localStorage }, { ...sessionStorage }, document.cookie];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const answer = await cache.match(request);
        found.push(request.url, answer && (await answer.text()));
      }
    }
    for (const { name } of await indexedDB.databases()) {
      const opening = indexedDB.open(name ?? "");
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(opening.error);
      });
      for (const store of database.objectStoreNames) {
        const all = database.transaction(store).objectStore(store).getAll();
        await new Promise((resolve, reject) => {
          all.onsuccess = resolve;
          all.onerror = reject;
        });
        found.push(all.result);
      }
      database.close();
    }
    return JSON.stringify(found);
  });
}

/** The service worker is installed and has the pages. */
export function workerIsReady(page: Page): Promise<void> {
  return page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
}
