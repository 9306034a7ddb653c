import { chmodSync, chownSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { switchToDataOwner } from "#cli/data-owner.ts";
import { machineHas } from "#testing/machine-needs.ts";
import { buildChildEnv } from "#testing/site/child-env.ts";
import { runProgram } from "#testing/site/command-line.ts";
import { makeTemporaryFolder } from "#testing/storage/temporary-folder.ts";
import { aNewApplication } from "#testing/storage/temporary-store.ts";
import { openTestStore } from "#testing/storage/used-database.ts";

const isRoot = process.getuid?.() === 0;
const SITE_USER = 1_000;

const pathsIn = (folder: string) => [
  folder,
  ...readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
];
const changeOwner = (folder: string, uid: number) => {
  for (const path of pathsIn(folder)) chownSync(path, uid, uid);
};
const foreignPaths = (folder: string) =>
  pathsIn(folder).filter((path) => statSync(path).uid !== SITE_USER);

async function createSite() {
  const home = makeTemporaryFolder();
  chmodSync(home, 0o755);
  const [dataDir, rootOnlyFolder] = [join(home, "data"), join(home, "root")];
  mkdirSync(rootOnlyFolder, { mode: 0o700 });
  const store = openTestStore(join(dataDir, "applications.db"));
  await store.accept(aNewApplication());
  await store.close();
  changeOwner(dataDir, SITE_USER);
  const runAsRoot = (program: "applications" | "doctor", ...words: string[]) =>
    runProgram(`cli/${program}.ts`, words, {
      cwd: home,
      env: { ...buildChildEnv(), NODE_ENV: "production", DATA_DIR: dataDir },
    });
  return { dataDir, rootOnlyFolder, runAsRoot };
}

test("only a command of root changes its user to the data folder's owner", () => {
  const folder = makeTemporaryFolder();
  if (isRoot) chownSync(folder, SITE_USER, SITE_USER);
  const { uid, gid } = statSync(folder);
  const calls: unknown[] = [];
  for (const name of ["setgroups", "setgid", "setuid"] as const)
    vi.spyOn(process, name).mockImplementation((id: unknown) => void calls.push([name, id]));
  const switchAs = (user: number, dataDir: string) => {
    vi.spyOn(process, "getuid").mockReturnValue(user);
    switchToDataOwner({ dataDir });
  };
  switchAs(SITE_USER, folder);
  switchAs(0, "/");
  expect(calls).toEqual([]);
  switchAs(0, join(folder, "data"));
  // The user changes last, because only root may change the groups.
  expect(calls).toEqual([
    ["setgroups", [gid]],
    ["setgid", gid],
    ["setuid", uid],
  ]);
});

test.runIf(machineHas("root"))(
  "commands of root leave no file of another owner in the data folder [89]",
  async () => {
    const { dataDir, rootOnlyFolder, runAsRoot } = await createSite();
    const [backup, table] = [join(dataDir, "backup.db"), join(dataDir, "table.csv")];
    for (const words of [
      ["list"],
      ["backup"],
      ["backup", backup],
      ["restore", backup],
      ["export", table],
      ["forget", "010-9999-9999"],
    ])
      expect(await runAsRoot("applications", ...words), words.join(" ")).toMatchObject({ code: 0 });
    const refused = { code: 1, said: expect.stringContaining(`(예: ${dataDir}/`) };
    for (const name of ["backup", "restore", "export"])
      expect(await runAsRoot("applications", name, join(rootOnlyFolder, name)), name).toMatchObject(
        refused,
      );
    expect(foreignPaths(dataDir)).toEqual([]);
    expect(readdirSync(dataDir)).toContain("applications.db");
  },
);

test.runIf(machineHas("root")).for([
  ["the database", "applications.db", /\[고장\] 데이터베이스를 열 수 없습니다\. 파일과 폴더/],
  ["the folder of the backups", "backups", /\[고장\] .+쓸 수 없습니다\(.+\/backups: EACCES\)/],
] as const)("the doctor, run as root, reports that root owns %s", async ([, name, finding]) => {
  const { dataDir, runAsRoot } = await createSite();
  mkdirSync(join(dataDir, "backups"), { mode: 0o700 });
  changeOwner(dataDir, SITE_USER);
  chownSync(join(dataDir, name), 0, 0);
  expect(await runAsRoot("doctor")).toMatchObject({
    code: 1,
    said: expect.stringMatching(finding),
  });
});

test.runIf(machineHas("root"))(
  "forget names the backups of root that it cannot change",
  async () => {
    const { dataDir, runAsRoot } = await createSite();
    await runAsRoot("applications", "backup");
    const backups = join(dataDir, "backups");
    chownSync(backups, 0, 0);
    const { said, code } = await runAsRoot("applications", "forget", "010-1234-5678");
    expect(code).toBe(1);
    expect(said).toMatch(/지운 신청: 1건[\s\S]*이 백업에서는 지우지 못했습니다.*backups/);
    const [backup = ""] = readdirSync(backups);
    changeOwner(backups, SITE_USER);
    chownSync(join(backups, backup), 0, 0);
    expect((await runAsRoot("applications", "forget", "010-1234-5678")).said).toContain(backup);
  },
);
