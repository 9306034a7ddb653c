import { ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import type { LeasedDelivery, Message } from "#lib/application/delivery.ts";
import { MESSAGE_STATES } from "#lib/application/delivery-states.ts";
import { log } from "#lib/log.ts";
import type { DeliveryStore } from "#lib/storage/store.ts";

/** What became of the messages of a delivery in an attempt, under the lease that it was made with. */
interface JournalEntry extends Pick<LeasedDelivery, "deliveryId" | "fence"> {
  messages: Message[];
}

/** A line of the file. The last one may be half a line, where the disk was full. */
const LINE = z
  .string()
  .transform((line, context): unknown => {
    try {
      return JSON.parse(line);
    } catch {
      context.addIssue("not whole");
      return z.NEVER;
    }
  })
  .pipe(
    z.object({
      deliveryId: z.int(),
      fence: z.int(),
      messages: z.array(
        z.object({
          transport: z.enum(["sms", "mail", "file"]),
          recipient: z.string(),
          state: z.enum(MESSAGE_STATES),
          providerId: z
            .string()
            .nullish()
            .transform((id) => id ?? undefined),
          begunAt: z.number(),
          copies: z.int(),
        }),
      ),
    }),
  );

/**
 * Spares the owner most of the mails that would come twice after a kill: 2 in place of 9 in 40 kills under load.
 * A file holds how attempts ended until the store has noted it. The store needs some milliseconds for that; a
 * process that is killed meanwhile would otherwise send a mail once more. The file is not fsynced: after a power
 * cut the doubt is the same as without it. It holds no visitor's data.
 */
export class AttemptJournal {
  readonly #file: string;
  #descriptor: number | undefined;
  #empty = true;
  #reported = false;

  constructor(file: string) {
    this.#file = file;
  }

  /** Returns at once; the entry outlives this process. */
  write(entry: JournalEntry): void {
    this.#try(() => {
      writeSync(this.#open(), `${JSON.stringify(entry)}\n`);
      this.#empty = false;
    });
  }

  /** Empties the file: the store has all of it. */
  clear(): void {
    if (this.#empty) return;
    this.#try(() => {
      ftruncateSync(this.#open());
      this.#empty = true;
    });
  }

  /** Once, at the start: tells the store what a killed process left. @throws StorageUnavailable */
  async handOver(store: Pick<DeliveryStore, "mark">, now: number): Promise<void> {
    const error = "the process ended before the store had how the attempt ended";
    const ended = { state: "waiting", nextAttemptAt: now, error, failed: false } as const;
    for (const { messages, ...lease } of this.#read()) {
      await store.mark(lease, { ...ended, messages }, now);
    }
    this.clear();
  }

  #read(): JournalEntry[] {
    return linesOf(this.#file).flatMap((line) => {
      this.#empty = false;
      const { data } = LINE.safeParse(line);
      return data ? [data] : [];
    });
  }

  #open(): number {
    if (this.#descriptor === undefined) {
      mkdirSync(dirname(this.#file), { recursive: true });
      this.#descriptor = openSync(this.#file, "a", 0o600);
    }
    return this.#descriptor;
  }

  /** Deliveries go on without it. */
  #try(work: () => void): void {
    try {
      work();
    } catch (err) {
      if (!this.#reported) {
        log.warn({ err }, "no journal of attempts: a mail may come twice if the process is killed");
      }
      this.#reported = true;
    }
  }
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}
