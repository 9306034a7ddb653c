/**
 * Whether applications are taken and delivered, and what to do if not. Everybody may know the one word at
 * /api/health; the rest is told on the host (cli/applications/health.ts).
 */
import { readFileSync } from "node:fs";
import type { DeliveryCounts, FailingChannel } from "#lib/application/delivery.ts";
import { seoulIso } from "#lib/application/seoul-time.ts";
import type { Channel } from "#lib/application/stored-application.ts";
import { type Clock, systemClock } from "#lib/clock.ts";
import { type Config, config } from "#lib/config.ts";
import { processGlobals, type WorkerStatus } from "#lib/process-globals.ts";
import { StorageUnavailable, type UnavailableReason } from "#lib/storage/errors.ts";
import type { Note } from "#lib/storage/queries/notes.ts";
import { sharedStore } from "#lib/storage/shared.ts";
import type { UpkeepStore } from "#lib/storage/store.ts";

/** A worker takes a turn every half minute at least, and no turn waits for a send. */
const STALLED_MS = 5 * 60_000;
/** Longer than the failover between channels takes: an application that waits for this long needs a look. */
const WAITING_LONG_MS = 30 * 60_000;
/** Within this time everybody gets the same answer, because each check writes to the disk. */
const REMEMBERED_MS = 1_000;

export interface Health {
  /** `down`: applications cannot be taken. `degraded`: they are taken, but not all are delivered. */
  status: "ok" | "degraded" | "down";
  /** What is wrong and what to do, in sentences. */
  problems: string[];
  version: string;
  /** `reason`: why the storage is out. */
  storage: { ok: true } | { ok: false; reason: UnavailableReason };
  worker: { state: WorkerStatus["state"] | "stalled" | "absent" };
  /** What takes the applications of each form. */
  channels: { sms: "twilio" | "smtp" | "file"; mail: "smtp" | "twilio" | "file" };
  /** The channels that do not work, and when that began. */
  failing: { channel: Channel; seconds: number }[];
  /** Absent while the storage is out. */
  deliveries?: Omit<DeliveryCounts, "oldestWaitingSince" | "oldestFiledSince">;
  /** When the oldest application that lies in a file came in. */
  filedSince?: string;
  /** The last jump of the wall clock that was seen; for a day after it nothing is deleted by its age. */
  clockJump?: { at: string; minutes: number };
  /** The last backup that succeeded, and the last that failed, where that is newer. */
  backup?: { at?: string; failure?: { at: string; why: string } };
  /** How long the oldest application that is not yet delivered has waited. */
  oldestWaitingSeconds?: number;
}

interface PublicHealth {
  status: Health["status"];
  /** ISO 8601 with Seoul's offset. */
  time: string;
}

interface Dependencies {
  store: UpkeepStore;
  config: Pick<Config, "sms" | "mail">;
  worker: { status(): WorkerStatus } | undefined;
  now: Clock;
}

let remembered: { health: Promise<Health>; at: number } | undefined;

/** What everybody may know of this process, at most a second old: 503 where somebody has to act. */
export async function healthResponse(): Promise<Response> {
  const health = await currentHealth();
  const body: PublicHealth = { status: health.status, time: seoulIso(systemClock()) };
  const headers = { "Cache-Control": "no-store" };
  return Response.json(body, { status: httpStatusOf(health), headers });
}

function currentHealth(): Promise<Health> {
  const now = performance.now();
  if (remembered === undefined || now - remembered.at > REMEMBERED_MS) {
    const dependencies = {
      store: sharedStore(),
      config: config(),
      worker: processGlobals.worker,
      now: systemClock,
    };
    remembered = { health: healthOf(dependencies), at: now };
  }
  return remembered.health;
}

/** 503 tells a monitor that somebody has to act: nothing is taken, or nothing is delivered. */
export function httpStatusOf({ storage, worker }: Health): 200 | 503 {
  return storage.ok && worker.state === "running" ? 200 : 503;
}

export async function healthOf({ store, config, worker, now }: Dependencies): Promise<Health> {
  const storage = await lookAtStorage(store, now());
  const state = workerState(worker, now());
  const waitedMs = now() - (storage.counts?.oldestWaitingSince ?? now());
  const problems = [
    storage.fault?.message,
    WORKER_PROBLEMS[state],
    ...storage.failing.map((failing) => channelProblem(failing, now())),
    waitedMs > WAITING_LONG_MS
      ? "An application has been waiting for over half an hour: the log says which channel fails and why."
      : undefined,
    storage.counts && storage.counts.needsOwner > 0
      ? `${storage.counts.needsOwner} application(s) could not be delivered and were given up: read them with 'npm run applications -- list --state needs-owner' and call the applicants, or send them again with 'resend'.`
      : undefined,
    failedBackup(storage.notes) &&
      "The last backup failed: 'npm run applications -- health' and the log say why. Applications are taken and delivered as ever.",
  ].filter((problem) => problem !== undefined);

  return {
    status: storage.fault ? "down" : problems.length > 0 ? "degraded" : "ok",
    problems,
    version: programVersion,
    storage: storage.fault ? { ok: false, reason: storage.fault.reason } : { ok: true },
    worker: { state },
    channels: {
      sms: config.sms ? "twilio" : config.mail ? "smtp" : "file",
      mail: config.mail ? "smtp" : config.sms ? "twilio" : "file",
    },
    failing: storage.failing.map(({ channel, since }) => ({
      channel,
      seconds: Math.max(0, Math.round((now() - since) / 1_000)),
    })),
    ...(storage.counts && deliveriesOf(storage.counts)),
    ...(storage.notes && notedIn(storage.notes)),
    ...(storage.counts?.oldestWaitingSince !== undefined && {
      oldestWaitingSeconds: Math.max(0, Math.round(waitedMs / 1_000)),
    }),
  };
}

interface StorageLook {
  fault?: StorageUnavailable;
  counts?: DeliveryCounts;
  failing: FailingChannel[];
  notes?: Notes;
}

type Notes = Record<"jump" | "backup" | "failure", Note | undefined>;

async function lookAtStorage(store: UpkeepStore, now: number): Promise<StorageLook> {
  try {
    await store.probeWrite(now);
    const notes = {
      jump: await store.findNote("clock-jump"),
      backup: await store.findNote("backup"),
      failure: await store.findNote("backup-failure"),
    };
    return { counts: await store.counts(), failing: await store.failingChannels(), notes };
  } catch (error) {
    if (error instanceof StorageUnavailable) return { fault: error, failing: [] };
    throw error;
  }
}

const CHANNEL_NAMES: Readonly<Record<Channel, string>> = { sms: "SMS", mail: "Mail" };

function channelProblem({ channel, since, error, refused }: FailingChannel, now: number): string {
  const minutes = Math.max(0, Math.round((now - since) / 60_000));
  const cure = refused
    ? "Mend that in .env or at the provider and restart the site"
    : "Check the network, the provider's status page and the settings in .env";
  return `${CHANNEL_NAMES[channel]} has not worked for ${minutes} minute(s): ${error}. ${cure}; nothing is lost meanwhile.`;
}

const WORKER_PROBLEMS: Partial<Record<Health["worker"]["state"], string>> = {
  absent:
    "Applications are stored, but nothing is being delivered: this process was not started with npm start, which delivers what has waited too.",
  restarting:
    "The delivery worker failed and is starting again; applications wait meanwhile. If this lasts, the log says why.",
  stalled:
    "The delivery worker has stood still for five minutes; applications wait. Restart the site; nothing is lost by that.",
  stopped: "The delivery worker has stopped; applications wait until the site is started again.",
};

function workerState(worker: Dependencies["worker"], now: number): Health["worker"]["state"] {
  if (worker === undefined) return "absent";
  const { state, lastTurnAt } = worker.status();
  const stalled = lastTurnAt !== undefined && now - lastTurnAt > STALLED_MS;
  return state === "running" && stalled ? "stalled" : state;
}

function deliveriesOf({ oldestWaitingSince: _, oldestFiledSince, ...deliveries }: DeliveryCounts) {
  return {
    deliveries,
    ...(oldestFiledSince !== undefined && { filedSince: seoulIso(oldestFiledSince) }),
  };
}

/** The failure that no later backup has made good. */
function failedBackup({ backup, failure }: Partial<Notes> = {}): Note | undefined {
  return failure && failure.at > (backup?.at ?? 0) ? failure : undefined;
}

function notedIn({ jump, backup, failure }: Notes): Pick<Health, "clockJump" | "backup"> {
  const failed = failedBackup({ backup, failure });
  return {
    ...(jump && {
      clockJump: { at: seoulIso(jump.at), minutes: Math.round(Number(jump.value) / 60_000) },
    }),
    ...((backup || failed) && {
      backup: {
        ...(backup && { at: seoulIso(backup.at) }),
        ...(failed && { failure: { at: seoulIso(failed.at), why: failed.value } }),
      },
    }),
  };
}

const programVersion = versionIn(JSON.parse(readFileSync("package.json", "utf8")));

function versionIn(manifest: unknown): string {
  const isRecord = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isRecord ? String(manifest.version) : "unknown";
}
