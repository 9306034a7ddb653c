/** Prints how many rows a second a bare loop commits, one by one, with the site's own settings for durability. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { applySettings } from "../lib/storage/sqlite/open.ts";

const LASTS_MS = 3_000;

const folder = mkdtempSync(join(tmpdir(), "bench-insert-"));
const database = new DatabaseSync(join(folder, "rows.db"));
applySettings(database);
database.exec("CREATE TABLE rows (id INTEGER PRIMARY KEY, content TEXT NOT NULL)");
const insert = database.prepare("INSERT INTO rows (content) VALUES (?)");
const content = "가".repeat(200);
const began = performance.now();
let rows = 0;
while (performance.now() - began < LASTS_MS) {
  insert.run(content);
  rows += 1;
}
const seconds = (performance.now() - began) / 1_000;
database.close();
rmSync(folder, { recursive: true });
process.stdout.write(`${Math.round(rows / seconds)}\n`);
