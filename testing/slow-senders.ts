/** A thousand connections that send a byte a second, and a body without end, while people apply. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, test } from "@playwright/test";
import { post, ROUTES, streamBody } from "#testing/client.ts";
import { asJson } from "#testing/form.ts";
import { Site } from "#testing/site.ts";

const MIB = 1024 * 1024;
const ABOVE_IDLE_MIB = 200;
const SLOW = 500;
const ANSWERED_WITHIN_MS = 1_000;
const ROUNDS = 3;

/** The memory that the server's process holds, in MiB. */
function residentMiB(site: Site): number {
  const kib = execFileSync("ps", ["-o", "rss=", "-p", String(site.pid)], { encoding: "utf8" });
  return Number(kib) / 1024;
}

/** A connection that sends this and then a byte every second, until the server hangs up. */
function dribble(site: Site, start: string, more: string): Socket {
  const socket = connect(Number(new URL(site.url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(start);
  const timer = setInterval(() => socket.write(more), 1_000);
  socket.on("close", () => clearInterval(timer));
  socket.resume();
  return socket;
}

const HEAD = `POST ${ROUTES.mail} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;

/** What one round of slow senders cost the server and a person who applied meanwhile. */
async function attack(site: Site, sockets: Socket[], lastsMs: number) {
  await (await post(site, "mail", asJson({ name: "처음" }))).arrayBuffer();
  const idle = residentMiB(site);
  for (let index = 0; index < SLOW; index++) {
    sockets.push(dribble(site, HEAD, "X-Slow: 1\r\n"));
    sockets.push(dribble(site, `${HEAD}Content-Length: 2000\r\n\r\n{`, " "));
  }
  await Promise.all(sockets.map((socket) => socket.connecting && once(socket, "connect")));
  const endless = streamBody(site, { megabytes: 400 });

  const durations: number[] = [];
  const memory: number[] = [];
  const until = Date.now() + lastsMs;
  while (Date.now() < until) {
    const before = performance.now();
    const answer = await post(site, "mail", asJson({ name: `사람${durations.length}` }));
    await answer.arrayBuffer();
    durations.push(performance.now() - before);
    expect(answer.status).toBe(200);
    memory.push(residentMiB(site));
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const { status, sentBytes } = await endless;
  return {
    idleMiB: Math.round(idle),
    peakMiB: Math.round(Math.max(...memory)),
    slowestMs: Math.round(Math.max(...durations)),
    answered: durations.length,
    endless: { status, sentMiB: Math.round(sentBytes / MIB) },
  };
}

/**
 * Attacks for so long, up to three times until people were answered in time: a busy machine can spoil one round, a
 * server that lets people wait spoils all. `afterwards` looks at the connections of each round.
 */
export async function expectNobodyWaits(
  lastsMs: number,
  afterwards: (sockets: readonly Socket[]) => Promise<void>,
): Promise<void> {
  const slowest: number[] = [];
  while (slowest.length < ROUNDS && !slowest.some((ms) => ms < ANSWERED_WITHIN_MS)) {
    const site = await Site.start();
    const sockets: Socket[] = [];
    try {
      const figures = await attack(site, sockets, lastsMs);
      test.info().annotations.push({ type: "figures", description: JSON.stringify(figures) });
      slowest.push(figures.slowestMs);
      expect(figures.peakMiB - figures.idleMiB).toBeLessThan(ABOVE_IDLE_MIB);
      expect(figures.endless.sentMiB).toBeLessThan(100);
      await afterwards(sockets);
    } finally {
      for (const socket of sockets) socket.destroy();
      await site.stop();
    }
  }
  expect(Math.min(...slowest)).toBeLessThan(ANSWERED_WITHIN_MS);
}
