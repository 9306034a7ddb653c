/** Two versions of the program, told apart by the files of their pages. */
import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The addresses of the assets that a page names. */
export function assetsOf(html: string): string[] {
  const found = html.matchAll(/(?:src|href)="(\/_next\/static\/[^"?]+)/g);
  return [...new Set([...found].map(([, path = ""]) => path))];
}

/** Pushes the next version to the repository from which the host pulls: another style and another script. */
export function changeTheProgram(repository: string): void {
  const clone = "/rehearsal/change";
  const author = ["-c", "user.name=rehearsal", "-c", "user.email=rehearsal@practice.example"];
  const git = (...args: string[]) => execFileSync("git", [...author, ...args]);
  git("clone", "--quiet", repository, clone);
  appendFileSync(join(clone, "app/globals.css"), "\n:root {\n  --release: 2;\n}\n");
  const copy = join(clone, "lib/content/application-form.ts");
  writeFileSync(copy, readFileSync(copy, "utf8").replaceAll("보내는 중", "지금 보내는 중"));
  git("-C", clone, "commit", "--quiet", "--all", "--message", "Change the look and a word");
  git("-C", clone, "push", "--quiet");
}
