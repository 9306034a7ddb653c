import type { Tab } from "#testing/engines/tab.ts";

export const ENGINES = ["chromium", "firefox", "webkit"] as const;
export type EngineName = (typeof ENGINES)[number];

/** A browser that was started. */
export interface Engine {
  newTab(): Promise<Tab>;
  stop(): Promise<void>;
}

/** A page that cannot be loaded is what some tests are about. */
export async function settled(navigation: Promise<unknown>): Promise<void> {
  await navigation.catch(() => undefined);
}
