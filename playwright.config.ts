import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium, defineConfig } from "@playwright/test";

/** The Chromium that Playwright brought, or else the one that is installed on the machine. */
function chromiumPath(): string | undefined {
  if (existsSync(chromium.executablePath())) return undefined;
  const folders = (process.env.PATH ?? "").split(delimiter);
  return ["chromium", "google-chrome"]
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

const executablePath = chromiumPath();

export default defineConfig({
  testDir: "e2e",
  fullyParallel: true,
  forbidOnly: true,
  workers: 2,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: "list",
  use: {
    locale: "ko-KR",
    timezoneId: "Asia/Seoul",
    trace: "retain-on-failure",
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  projects: [
    {
      name: "phone",
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
  ],
});
