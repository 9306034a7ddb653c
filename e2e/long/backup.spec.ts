import { statSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { post } from "#testing/client.ts";
import { applications } from "#testing/command-line.ts";
import { eventually } from "#testing/eventually.ts";
import { asJson } from "#testing/form.ts";
import { Site } from "#testing/site.ts";
import { withSite } from "#testing/site-with-peers.ts";
import { expect, mailSettings, test } from "#testing/test.ts";

/** Sends an application; returns its number as people read it. */
async function apply(site: Site, name: string): Promise<string> {
  const answer = await post(site, "mail", asJson({ name }));
  return formatApplicationId((await answer.json()).data.applicationId);
}

test("a backup under load holds everything acknowledged before it, and a site on it delivers what waited", async () => {
  await withSite(
    {},
    async ({ site, smtp }) => {
      smtp.always({ sender: 451 });
      const acknowledged: string[] = [];
      let posting = true;
      const posters = Array.from({ length: 4 }, async (_, poster) => {
        for (let round = 0; posting; round++) {
          acknowledged.push(await apply(site, `김백업${poster}ㅇ${round}`));
        }
      });
      await eventually(() => acknowledged.length).toBeGreaterThan(40);
      const before = [...acknowledged];
      const file = join(site.dataDir, "copy.db");
      const backup = await applications(site, "backup", file);
      const after = acknowledged.length;
      posting = false;
      await Promise.all(posters);
      expect(backup).toMatchObject({ code: 0, stdout: expect.stringContaining("백업하고") });
      expect(after).toBeGreaterThan(before.length);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect((await applications(site, "backup", file)).code).toBe(1);
      await site.end("SIGKILL");
      smtp.always(undefined);

      const restored = await Site.start(mailSettings(smtp));
      try {
        await restored.end("SIGTERM");
        for (const suffix of ["-wal", "-shm"]) {
          expect(() => statSync(join(restored.dataDir, `applications.db${suffix}`))).toThrow();
        }
        await copyFile(file, join(restored.dataDir, "applications.db"));
        await restored.startAgain();
        const listed = (await applications(restored, "list", "--limit", "100000")).stdout;
        expect(before.filter((number) => !listed.includes(number))).toEqual([]);
        const arrived = () => {
          const subjects = smtp.mails.map(({ parsed }) => parsed.subject ?? "").join("\n");
          return before.filter((number) => !subjects.includes(number)).length;
        };
        await eventually(arrived).toBe(0);
      } finally {
        await restored.stop();
      }
    },
    (_twilio, smtp) => mailSettings(smtp),
  );
});
