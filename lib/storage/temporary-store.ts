/** For tests: a real store in a folder of its own, and applications to put into it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Application } from "#lib/application/fields.ts";
import { openStore } from "#lib/storage/open.ts";
import type { NewApplication, Store } from "#lib/storage/store.ts";

export interface TemporaryStore extends AsyncDisposable {
  store: Store;
  folder: string;
  databaseFile: string;
}

/** `await using` closes the store and deletes its folder at the end of the test. */
export function temporaryStore(newNumber?: () => string): TemporaryStore {
  const folder = mkdtempSync(join(tmpdir(), "applications-"));
  const databaseFile = join(folder, "applications.db");
  const store = openStore({ databaseFile }, newNumber);
  return {
    store,
    folder,
    databaseFile,
    [Symbol.asyncDispose]: async () => {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A valid application; only what the test is about needs to be named. */
export function anApplication(changes: Partial<Application> = {}): Application {
  return {
    name: "홍길동",
    phone: "+821012345678",
    gender: "female",
    age: 32,
    region: "이천",
    preferredDate: "2026-12-01",
    dayType: "weekday",
    timeSlot: "morning",
    carType: "own",
    message: "여성 강사 희망",
    ...changes,
  };
}

/** 2026-12-01 09:30 in Seoul. */
export const TEST_NOW = Date.parse("2026-12-01T09:30:00+09:00");

export function aNewcomer(changes: Partial<NewApplication> = {}): NewApplication {
  return {
    channel: "sms",
    idempotencyKey: undefined,
    application: anApplication(),
    now: TEST_NOW,
    ...changes,
  };
}
