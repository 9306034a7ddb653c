/** After a build: notes which facts the pages were built with, for server/build-check.ts to compare. */
import { writeFileSync } from "node:fs";
import { builtInFacts, config } from "#lib/config.ts";
import { BUILT_IN_FACTS_FILE } from "#server/build-check.ts";

writeFileSync(BUILT_IN_FACTS_FILE, JSON.stringify(builtInFacts(config()), null, 2));
