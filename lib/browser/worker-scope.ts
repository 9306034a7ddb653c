/**
 * What the service worker uses of its global scope. TypeScript's own types for it contradict those of a
 * page, and the worker shares its modules with the pages.
 */
interface ExtendableEvent {
  waitUntil(work: Promise<unknown>): void;
}

export interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

interface SyncEvent extends ExtendableEvent {
  readonly tag: string;
}

interface Events {
  install: ExtendableEvent;
  activate: ExtendableEvent;
  fetch: FetchEvent;
  sync: SyncEvent;
}

export interface WorkerScope {
  skipWaiting(): Promise<void>;
  addEventListener<Name extends keyof Events>(
    name: Name,
    listener: (event: Events[Name]) => void,
  ): void;
}
