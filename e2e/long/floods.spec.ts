import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { post } from "#testing/client.ts";
import { asJson } from "#testing/form.ts";
import { Site } from "#testing/site.ts";
import { expect, test } from "#testing/test.ts";

const FLOOD_MS = 8_000;
const POST_P99_MS = 500;
const MOST_MIB = 350;
/** The limits of an operator who has set none, but for the applications that are measured. */
const LIMITS = { ADDRESS_REQUESTS_PER_MINUTE: "" };
const FLOODED = ["/?_rsc=", "/api/health?", "/contact/result?", "/contact/result/"];

/** The most memory that the server's process has held, in MiB. */
function peakMiB(site: Site): number {
  const status = readFileSync(`/proc/${site.pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** Applies over and over while somebody else floods the site from another address; how long each took. */
async function applyUnderFlood(site: Site): Promise<number[]> {
  const args = ["testing/flood.ts", site.url, "127.0.0.2", "100", ...FLOODED];
  const flood = spawn(process.execPath, args, { stdio: "ignore" });
  const durations: number[] = [];
  try {
    const until = performance.now() + FLOOD_MS;
    while (performance.now() < until) {
      const began = performance.now();
      const answer = await post(site, "mail", asJson({ name: `사람${durations.length}` }));
      await answer.arrayBuffer();
      expect(answer.status).toBe(200);
      durations.push(performance.now() - began);
    }
  } finally {
    flood.kill("SIGKILL");
    await once(flood, "exit");
  }
  return durations;
}

test("100 connections that flood each of what costs work hold up no application and take little memory", async () => {
  test.setTimeout(120_000);
  const p99s: number[] = [];
  // The best of three rounds: a busy machine can spoil one, a server that lets people wait spoils all.
  while (p99s.length < 3 && !p99s.some((ms) => ms < POST_P99_MS)) {
    const site = await Site.start(LIMITS);
    try {
      const durations = (await applyUnderFlood(site)).toSorted((one, other) => one - other);
      const p99 = durations[Math.floor(durations.length * 0.99)] ?? Infinity;
      p99s.push(p99);
      const figures = {
        applications: durations.length,
        p99: Math.round(p99),
        MiB: Math.round(peakMiB(site)),
      };
      process.stdout.write(`${JSON.stringify(figures)}\n`);
      expect(peakMiB(site)).toBeLessThan(MOST_MIB);
      // However many requests there were, it is told once a minute.
      expect(site.log.match(/over a limit/g)?.length ?? 0).toBeLessThanOrEqual(2);
    } finally {
      await site.stop();
    }
  }
  expect(Math.min(...p99s)).toBeLessThan(POST_P99_MS);
});
