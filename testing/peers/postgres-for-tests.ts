/** One PostgreSQL per run of the unit tests. Tests that run at the same time have different databases. */
import type { TestProject } from "vitest/node";
import { PostgresServer } from "#testing/peers/postgres.ts";
import { chooseMemoryFolder } from "#testing/storage/memory-folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of the default database, on whose server tests create their own databases. */
    postgresUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await PostgresServer.start(chooseMemoryFolder());
  project.provide("postgresUrl", server.url);
  return () => server.stop();
}
