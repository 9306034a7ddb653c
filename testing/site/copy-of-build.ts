import { globSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** A folder with a copy of this build. Strings in the server code are replaced. `await using` deletes the copy. */
export async function copyBuildWithTexts(changes: Readonly<Record<string, string>>) {
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
  const replaced = new Set<string>();
  for (const name of globSync(".next/server/**/*.js", { cwd: folder })) {
    const file = join(folder, name);
    let code = await readFile(file, "utf8");
    const found = Object.entries(changes).filter(([text]) => code.includes(text));
    for (const [text, by] of found) {
      replaced.add(text);
      code = code.replaceAll(text, by);
    }
    if (found.length > 0) await writeFile(file, code);
  }
  if (replaced.size < Object.keys(changes).length)
    throw new Error(`The build says only ${[...replaced]}.`);
  const remove = () => rm(folder, { recursive: true, force: true });
  return { folder, [Symbol.asyncDispose]: remove };
}
