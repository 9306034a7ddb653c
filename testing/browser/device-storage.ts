import type { Page } from "@playwright/test";

/** Which of these texts a script of the page could read: in caches, databases, storages and cookies. */
export async function findOnDevice(page: Page, texts: readonly string[]): Promise<string[]> {
  const others = () => [{ ...localStorage }, { ...sessionStorage }, document.cookie];
  const found = [await readCaches(page), await page.evaluate(readDatabases)];
  const everything = JSON.stringify([...found, await page.evaluate(others)]);
  return texts.filter((text) => everything.includes(text));
}

/** The cached responses by address. */
export function readCaches(page: Page): Promise<Record<string, string | undefined>> {
  return page.evaluate(async () => {
    const answers: Record<string, string | undefined> = {};
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys())
        answers[request.url] = await (await cache.match(request))?.text();
    }
    return answers;
  });
}

/** Runs in the browser, so the function can use nothing from outside. */
export async function readDatabases(): Promise<unknown[]> {
  const resultOf = <Result>(request: IDBRequest<Result>) =>
    new Promise<Result>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const records: unknown[] = [];
  for (const { name = "" } of await indexedDB.databases()) {
    const database = await resultOf(indexedDB.open(name));
    for (const store of database.objectStoreNames)
      records.push(...(await resultOf(database.transaction(store).objectStore(store).getAll())));
    database.close();
  }
  return records;
}

export function waitForServiceWorker(page: Page): Promise<void> {
  return page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
}
