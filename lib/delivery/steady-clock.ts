/**
 * Whether the wall clock can be believed. A clock that is set, by a person, a time server or a host that wakes up,
 * would otherwise make an application that came in a moment ago look a year old. The site notes once an hour since
 * when the clock has run steadily; a gap between two notes, or a jump, begins the day anew.
 */
import { performance } from "node:perf_hooks";
import type { Clock } from "#lib/clock.ts";
import { log } from "#lib/log.ts";
import type { Note } from "#lib/storage/queries/notes.ts";
import type { DeliveryStore } from "#lib/storage/store.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** The clock is noted again after this. */
const NOTED_EVERY_MS = HOUR_MS;
/** Two notes that lie further apart have a gap between them. */
const LONGEST_GAP_MS = 2 * HOUR_MS;

/** Whether the note of a running site proves a clock that shows `now`: things may be deleted by their age. */
export function isProven(note: Note | undefined, now: number): boolean {
  return note !== undefined && isContinued(note, now) && now - Number(note.value) >= DAY_MS;
}

const isContinued = ({ at }: Note, now: number) => Math.abs(now - at) <= LONGEST_GAP_MS;

interface Parts {
  store: Pick<DeliveryStore, "findNote" | "writeNote">;
  now: Clock;
  /** ms that only grow, however the wall clock is set. */
  monotonic?: Clock;
}

/** Watches the clock of this process, and notes for the next one, and for commands, what it has seen. */
export class SteadyClock {
  readonly #store: Parts["store"];
  readonly #now: Clock;
  readonly #monotonic: Clock;
  #last: { at: number; monotonic: number } | undefined;
  #steadySince: number | undefined;
  #notedAt = Number.NEGATIVE_INFINITY;

  constructor({ store, now, monotonic = () => performance.now() }: Parts) {
    this.#store = store;
    this.#now = now;
    this.#monotonic = monotonic;
  }

  /** Asked at every turn of the worker. @throws StorageUnavailable */
  async isProven(): Promise<boolean> {
    const look = { at: this.#now(), monotonic: this.#monotonic() };
    const jump = this.#jumpUntil(look);
    if (jump !== 0) await this.#beginAnew(look.at, jump);
    this.#last = look;
    this.#steadySince ??= await this.#continued(look.at);
    if (jump !== 0 || Math.abs(look.at - this.#notedAt) >= NOTED_EVERY_MS) {
      await this.#store.writeNote("clock", { at: look.at, value: `${this.#steadySince}` });
      this.#notedAt = look.at;
    }
    return look.at - this.#steadySince >= DAY_MS;
  }

  /** How far the wall clock was set since the last look, in ms; 0 for less than an hour. */
  #jumpUntil({ at, monotonic }: { at: number; monotonic: number }): number {
    if (this.#last === undefined) return 0;
    const ms = Math.round(at - this.#last.at - (monotonic - this.#last.monotonic));
    return Math.abs(ms) > HOUR_MS ? ms : 0;
  }

  async #beginAnew(at: number, jump: number): Promise<void> {
    this.#steadySince = at;
    const minutes = Math.round(jump / 60_000);
    log.warn({ minutes }, "the clock jumped: nothing is deleted for a day");
    // For health and the doctor.
    await this.#store.writeNote("clock-jump", { at, value: `${jump}` });
  }

  /** Since when the clock has been steady, as the last process noted. */
  async #continued(now: number): Promise<number> {
    const note = await this.#store.findNote("clock");
    return note && isContinued(note, now) ? Number(note.value) : now;
  }
}
