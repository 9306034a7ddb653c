/**
 * A page of nothing, made with the Next and React that this site has: what the site's bytes and times are
 * held against. It is built beside the packages, once per version.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { freePort } from "#e2e/free-port.ts";

const CACHE = "node_modules/.cache/blank-page";
const NEXT = resolve("node_modules/next/dist/bin/next");

const FILES: Record<string, string> = {
  "package.json": JSON.stringify({ name: "blank-page", private: true, type: "module" }),
  "next.config.mjs": `export default { turbopack: { root: ${JSON.stringify(resolve())} } };`,
  "app/layout.js": `import { createElement } from "react";
export default function Layout({ children }) {
  return createElement("html", { lang: "ko" }, createElement("body", null, children));
}`,
  "app/page.js": `import { createElement } from "react";
export const metadata = { title: "Blank", description: "A page of nothing" };
export default function Page() {
  return createElement("main", null, createElement("h1", null, "Blank"));
}`,
};

const versionOf = (name: string): string => {
  const manifest: { version: string } = JSON.parse(
    readFileSync(join("node_modules", name, "package.json"), "utf8"),
  );
  return `${name}-${manifest.version}`;
};

/** The versions that the blank page is made with, as part of a file's name. */
export function blankVersions(): string {
  return ["next", "react"].map(versionOf).join("-");
}

/** Builds the blank page where it is not built yet; returns its folder. */
function buildBlankPage(): string {
  const folder = join(CACHE, blankVersions());
  if (existsSync(join(folder, ".next/BUILD_ID"))) return folder;
  mkdirSync(join(folder, "app"), { recursive: true });
  for (const [name, content] of Object.entries(FILES)) writeFileSync(join(folder, name), content);
  const { status, stderr } = spawnSync(process.execPath, [NEXT, "build"], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" },
  });
  if (status !== 0) throw new Error(`The blank page could not be built:\n${stderr}`);
  return folder;
}

/** The blank page under `next start`, on a free port. */
export async function serveBlankPage() {
  const folder = buildBlankPage();
  const port = await freePort();
  const child = spawn(process.execPath, [NEXT, "start", "--port", String(port)], {
    cwd: folder,
    stdio: "ignore",
  });
  const url = `http://localhost:${port}`;
  while (!(await fetch(url).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new Error("The blank page's server did not come up.");
    await new Promise((wait) => setTimeout(wait, 50));
  }
  const stop = async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return { url, folder, stop };
}
