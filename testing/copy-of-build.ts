import { globSync } from "node:fs";
import { cp, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** A folder with a copy of this build that says `by` in place of `text`, as after a change and a build. */
export async function changedBuild(text: string, by: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "build-"));
  await cp("public", join(folder, "public"), { recursive: true });
  await cp(".next", join(folder, ".next"), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !/\.next\/(cache|build|dev)$/.test(path),
  });
  for (const name of ["lib", "next.config.ts", "node_modules", "package.json"]) {
    await symlink(resolve(name), join(folder, name));
  }
  let changed = 0;
  for (const name of globSync(".next/server/**/*.js", { cwd: folder })) {
    const file = join(folder, name);
    const code = await readFile(file, "utf8");
    if (!code.includes(text)) continue;
    await writeFile(file, code.replaceAll(text, by));
    changed += 1;
  }
  if (changed === 0) throw new Error(`No page of the build says ${text}.`);
  return folder;
}
