import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

const FORBIDDEN: [file: string, imported: string][] = [
  ["lib/content/prices.ts", "#lib/application/fields.ts"],
  ["lib/content/prices.ts", "#components/ui/button.tsx"],
  ["lib/application/schema.ts", "#lib/config.ts"],
  ["lib/application/schema.ts", "#app/page.tsx"],
  ["lib/browser/outbox.ts", "#lib/config.ts"],
  ["lib/browser/outbox.ts", "#lib/application/schema.ts"],
  ["lib/browser/outbox.ts", "zod"],
  ["lib/storage/store.ts", "#lib/delivery/worker.ts"],
  ["lib/storage/sqlite.ts", "#lib/intake/receive.ts"],
  ["lib/storage/open.ts", "node:sqlite"],
  ["lib/storage/open.ts", "pg"],
  ["lib/storage/sqlite.ts", "pg"],
  ["lib/storage/postgres.ts", "node:sqlite"],
  ["lib/intake/limits.ts", "pg"],
  ["lib/channels/file.ts", "#lib/delivery/worker.ts"],
  ["lib/channels/file.ts", "nodemailer"],
  ["lib/channels/mail.ts", "twilio"],
  ["lib/channels/sms.ts", "nodemailer"],
  ["lib/intake/receive.ts", "#lib/delivery/worker.ts"],
  ["lib/intake/receive.ts", "#lib/channels/sms.ts"],
  ["lib/delivery/worker.ts", "#lib/intake/receive.ts"],
  ["lib/delivery/worker.ts", "twilio"],
  ["lib/clock.ts", "#server/main.ts"],
  ["components/ui/button.tsx", "#lib/config.ts"],
  ["components/ui/button.tsx", "#lib/storage/open.ts"],
  ["components/ui/button.tsx", "#lib/application/schema.ts"],
  ["components/ui/button.tsx", "../../lib/config.ts"],
  ["components/ui/button.tsx", "#app/page.tsx"],
  ["app/page.tsx", "#server/main.ts"],
  ["app/page.tsx", "twilio"],
  ["server/main.ts", "#components/ui/button.tsx"],
];

const ALLOWED: [file: string, imported: string][] = [
  ["lib/application/schema.ts", "#lib/content/regions.ts"],
  ["lib/browser/outbox.ts", "#lib/application/fields.ts"],
  ["lib/browser/outbox.ts", "idb"],
  ["lib/storage/sqlite.ts", "node:sqlite"],
  ["lib/storage/postgres.ts", "pg"],
  ["lib/channels/sms.ts", "twilio"],
  ["lib/channels/mail.ts", "nodemailer"],
  ["lib/intake/receive.ts", "#lib/storage/open.ts"],
  ["lib/delivery/worker.ts", "#lib/channels/sms.ts"],
  ["components/ui/button.tsx", "#lib/content/home.ts"],
  ["components/application/form.tsx", "#lib/browser/outbox.ts"],
  ["app/page.tsx", "#lib/config.ts"],
  ["server/main.ts", "#lib/delivery/worker.ts"],
];

const folder = realpathSync(mkdtempSync(join(tmpdir(), "import-directions-")));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes each import on a line of its own file, lints them all, and returns `file: imported` of each that is refused. */
function refusedByTheLinter(cases: [file: string, imported: string][]): Set<string> {
  const importsOf = new Map<string, string[]>();
  for (const [file, imported] of cases) {
    importsOf.set(file, [...(importsOf.get(file) ?? []), imported]);
  }
  for (const [file, imports] of importsOf) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(
      join(folder, file),
      imports.map((imported) => `import "${imported}";\n`).join(""),
    );
  }
  copyFileSync("biome.json", join(folder, "biome.json"));
  const { stdout } = spawnSync(
    resolve("node_modules/.bin/biome"),
    ["lint", "--vcs-enabled=false", "--reporter=github", "--max-diagnostics=none", "."],
    { cwd: folder, encoding: "utf8" },
  );
  const refused = stdout.matchAll(/noRestrictedImports,file=([^,]+),line=(\d+)/g);
  return new Set(
    [...refused].map(([, path = "", line]) => {
      const file = relative(folder, path);
      return `${file}: ${importsOf.get(file)?.[Number(line) - 1]}`;
    }),
  );
}

describe("the direction of imports", () => {
  const refused = refusedByTheLinter([...FORBIDDEN, ...ALLOWED]);

  it.each(FORBIDDEN)("%s may not import %s", (file, imported) => {
    expect(refused).toContain(`${file}: ${imported}`);
  });

  it.each(ALLOWED)("%s may import %s", (file, imported) => {
    expect(refused).not.toContain(`${file}: ${imported}`);
  });
});
